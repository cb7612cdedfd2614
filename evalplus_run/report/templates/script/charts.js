// The plots: pass@k against k, and all tasks by all runs.

// The width of a cell of the map in pixels, at least and at most.
const NARROW = 7;
const BROAD = 14;
// The most room for a curve's label; the least room for names beside the map.
const LONGEST = 420;
const BESIDE = 560;

function drawCharts() {
  for (const place of document.querySelectorAll(".curves")) drawCurves(place, groups.get(Number(place.dataset.group)));
  for (const place of document.querySelectorAll(".map")) drawMap(place, groups.get(Number(place.dataset.group)));
}

function drawCurves(place, group) {
  const told = group.runs.map((number) => runs.get(number)).filter((run) => run.curve.length > 1);
  if (!told.length) return;
  const named = (run, suite) => fitted(told.length > 1 ? `${run.label}, ${suite}` : suite === "base" ? "base" : "base + plus", LONGEST);
  const longest = Math.max(...told.flatMap((run) => group.suites.map((suite) => widthOf(named(run, suite)))));
  const right = 44 + Math.ceil(longest);
  const [width, height, left, top, bottom] = [550 + right, 300, 44, 12, 34];
  const most = Math.max(...told.map((run) => run.curve.at(-1)[0]));
  const x = (k) => left + (Math.log(k) / Math.log(most)) * (width - left - right);
  const y = (value) => top + (1 - value) * (height - top - bottom);
  const picture = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, class: "chart", role: "img", "aria-label": "pass@k against k; the figures stand in the table of scores" });
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(drawn("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      drawn("text", { x: left - 8, y: y(value) + 4, class: "tick end" }, `${100 * value}`));
  }
  for (const k of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((k) => k <= most)) {
    picture.append(drawn("text", { x: x(k), y: height - bottom + 18, class: "tick middle" }, `${k}`));
  }
  picture.append(drawn("text", { x: (left + width - right) / 2, y: height - 2, class: "tick middle" }, "k"));
  const ends = told.flatMap((run, which) => group.suites.slice(0, run.curve[0].length - 1).map((suite, column) => {
    const path = run.curve.map((row, at) => `${at ? "L" : "M"}${x(row[0]).toFixed(1)} ${y(row[column + 1]).toFixed(1)}`).join("");
    picture.append(drawn("path", { d: path, class: `line ${suite} series-${which % 6}` }));
    for (const estimate of run.marks.filter((one) => one[suite] && one.k <= run.curve.at(-1)[0])) {
      picture.append(drawn("line", { class: `whisker series-${which % 6}`, x1: x(estimate.k), x2: x(estimate.k), y1: y(estimate[suite][1]), y2: y(estimate[suite][2]) }),
        drawn("circle", { class: `dot series-${which % 6}`, cx: x(estimate.k), cy: y(estimate[suite][0]), r: 3 }));
    }
    return { y: y(run.curve.at(-1)[column + 1]), label: named(run, suite), suite, series: `series-${which % 6}` };
  }));
  for (const end of apart(ends, 13)) {
    const from = width - right + 8;
    picture.append(drawn("line", { class: `swatch ${end.suite} ${end.series}`, x1: from, x2: from + 22, y1: end.y, y2: end.y }),
      drawn("text", { x: from + 28, y: end.y + 4, class: `tick label ${end.series}` }, end.label));
  }
  place.append(element("h3", {}, "pass@k"), element("div", { class: "wide", tabindex: "0" }, picture),
    element("p", { class: "legend" }, group.suites.length > 1 ? "Solid: base + plus. Dashed: base. " : "", `Dots have their ${[...new Set(told.map((run) => run.intervals))].join("; ")}.`));
  place.hidden = false;
}

// The labels from top to bottom, none nearer to the one before than a line's height.
function apart(ends, least) {
  const sorted = ends.toSorted((a, b) => a.y - b.y);
  sorted.forEach((end, at) => { if (at) end.y = Math.max(end.y, sorted[at - 1].y + least); });
  return sorted;
}

// Labels are of 12 pixels, as the style sheet has them.
function widthOf(text) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

function fitted(text, room) {
  let most = text.length;
  const cut = () => most < text.length ? `${text.slice(0, most)}…` : text;
  while (most && widthOf(cut()) > room) most -= 1;
  return cut();
}

function drawMap(place, group) {
  const rates = new Map(group.runs.map((number) => [number, ratesOf(number, group)]));
  const none = group.runs.length > 1 ? "hard" : "order";
  const order = element("select", { "data-name": "map", "data-none": none }, element("option", { value: "order" }, "as in the benchmark"), element("option", { value: "hard" }, "hardest first"));
  order.value = none;
  const bands = element("div", { class: "bands" });
  const hint = element("p", { class: "hint", role: "status" }, " ");
  const redraw = () => bands.replaceChildren(...bandsOf(group, rates, ordered(group, rates, order.value), bands, hint));
  order.addEventListener("change", () => { redraw(); remember(place.closest(".benchmark")); });
  new ResizeObserver(redraw).observe(place);
  place.append(
    element("h3", {}, group.runs.length > 1 ? "Every task, every run" : "Every task"),
    element("p", { class: "legend" },
      mark("pass"), ` ${hasPlus(group.number) ? "passes base + plus" : "passes"}  `,
      ...(hasPlus(group.number) ? [mark("half"), " passes base only  "] : []),
      mark("fail"), " fails  ", mark("open"), " not judged; with several samples, the share of them as height. ",
      element("label", { class: "control" }, "Tasks ", order)),
    bands, hint);
  place.hidden = false;
}

// For each task of the group: how many samples are judged, pass base, pass all; and the first of them.
function ratesOf(number, group) {
  const counts = group.tasks.map(() => ({ all: 0, base: 0, whole: 0, first: null }));
  for (const sample of runs.get(number).samples) {
    const count = counts[sample.place];
    count.first ??= sample;
    if (sample.state === "open") continue;
    count.all += 1;
    count.base += sample.state === "pass" || sample.state === "half";
    count.whole += sample.state === "pass";
  }
  return counts;
}

function ordered(group, rates, order) {
  const places = group.tasks.map((_, place) => place);
  if (order === "order") return places;
  const total = (place, key) => group.runs.reduce((sum, number) => {
    const count = rates.get(number)[place];
    return sum + (count.all ? count[key] / count.all : 0);
  }, 0);
  const weight = places.map((place) => total(place, "whole") * 1000 + total(place, "base"));
  return places.sort((a, b) => weight[a] - weight[b] || a - b);
}

function* bandsOf(group, rates, places, bands, hint) {
  const room = bands.parentElement.clientWidth;
  const labels = group.runs.length > 1 && room >= BESIDE ? Math.min(260, room * 0.3) : 0;
  const single = group.runs.length === 1;
  const fitting = Math.floor((room - labels - 2) / places.length);
  const cell = { width: single ? BROAD : Math.max(NARROW, Math.min(BROAD, fitting)), height: single ? 26 : 16, above: single || labels ? 0 : 15 };
  const across = Math.max(10, Math.floor((room - labels - 2) / cell.width));
  for (let from = 0; from < places.length; from += across) {
    yield band(group, rates, places.slice(from, from + across), labels, cell, hint);
  }
}

function band(group, rates, places, labels, cell, hint) {
  const step = cell.above + cell.height;
  const height = group.runs.length * step;
  const picture = drawn("svg", { width: labels + places.length * cell.width, height, class: "band", role: "img",
    "aria-label": `${group.runs.length} runs on ${places.length} tasks; the table of samples has the same` });
  group.runs.forEach((number, row) => {
    const room = labels ? labels - 6 : cell.above ? places.length * cell.width : 0;
    if (room) picture.append(drawn("text", { x: 0, y: row * step + 12, class: "tick" }, fitted(runs.get(number).label, room), drawn("title", {}, runs.get(number).label)));
    const paths = cells(rates.get(number), places, labels, row * step + cell.above, cell);
    for (const [kind, path] of Object.entries(paths)) if (path) picture.append(drawn("path", { class: `cell-${kind}`, d: path }));
  });
  const under = (event) => {
    const box = picture.getBoundingClientRect();
    const place = places[Math.floor((event.clientX - box.left - labels) / cell.width)];
    const number = group.runs[Math.floor((event.clientY - box.top) / step)];
    return place === undefined || number === undefined ? null : { place, number, count: rates.get(number)[place] };
  };
  picture.addEventListener("mousemove", (event) => {
    const found = under(event);
    hint.textContent = found ? `${runs.get(found.number).label}, ${group.tasks[found.place]}: ${rateWords(found.count)}` : " ";
  });
  picture.addEventListener("click", (event) => {
    const found = under(event);
    if (found?.count.first) go({ sample: found.count.first.name });
  });
  return picture;
}

function rateWords(count) {
  if (!count.first) return "no sample";
  if (!count.all) return "not judged";
  if (count.all === 1) return verdictOf(count.first);
  return `${count.whole} of ${count.all} pass, ${count.base} pass base`;
}

// One path for what passes, one for what passes base only, one for the ground of every judged cell.
function cells(counts, places, left, top, cell) {
  const full = cell.height - 4;
  const box = (at, from, height) => `M${left + at * cell.width} ${(top + 2 + full - from - height).toFixed(1)}h${cell.width - 1}v${height.toFixed(1)}h${1 - cell.width}z`;
  const paths = { ground: "", half: "", pass: "" };
  places.forEach((place, at) => {
    const { all, base, whole } = counts[place];
    if (!all) return;
    paths.ground += box(at, 0, full);
    if (whole) paths.pass += box(at, 0, (full * whole) / all);
    if (base > whole) paths.half += box(at, (full * whole) / all, (full * (base - whole)) / all / (whole ? 1 : 2));
  });
  return paths;
}
