// The list of samples: what of them is looked at, in which order, and what is searched for.

const SHOWN = 300;
const ORDERS = {
  task: byTask,
  run: (a, b) => a.run - b.run || byTask(a, b),
  outcome: (a, b) => a.whole.localeCompare(b.whole) || byTask(a, b),
  time: (a, b) => b.milliseconds - a.milliseconds || byTask(a, b),
};
const list = { found: [], shown: SHOWN, texts: null, searching: null };

function byTask(a, b) {
  return a.group - b.group || a.place - b.place || a.run - b.run || a.index - b.index;
}

function buildExplorer() {
  const explorer = byId("explorer");
  const several = runs.size > 1;
  explorer.append(
    element("form", { class: "toolbar", role: "search" },
      field("Search", element("input", { type: "search", id: "query", placeholder: "task, program, error …", autocomplete: "off", spellcheck: "false" })),
      field("Run", select("run", [["", "all runs"], ...[...runs.values()].map((run) => [run.number, fullLabel(run)])]), !several),
      field("Task", select("task", [["", "all tasks"]])),
      field("Outcome", select("outcome", outcomeChoices())),
      field("Order", select("order", [["task", "by task"], ...(several ? [["run", "by run"]] : []), ["outcome", "by outcome"], ["time", "slowest first"]]))),
    element("p", { id: "found", role: "status" }),
    element("div", { class: "explorer" },
      element("div", { id: "rows", tabindex: "0", role: "region", "aria-label": "List of samples" }),
      element("article", { id: "sample", "aria-label": "Sample", hidden: true })));
  explorer.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  byId("query").addEventListener("input", () => filterBy({ q: byId("query").value }));
  for (const name of ["run", "task", "outcome", "order"]) byId(name).addEventListener("change", () => filterBy({ [name]: byId(name).value }));
  explorer.hidden = false;
}

function field(label, control, hidden = false) {
  return element("label", { hidden, class: `field field-${control.id}` }, element("span", {}, label), control);
}

function select(id, options) {
  return element("select", { id }, ...options.map(([value, text]) => element("option", { value }, text)));
}

function outcomeChoices() {
  const seen = new Set(samples.map((sample) => sample.whole).filter(Boolean));
  const states = Object.entries(STATES).filter(([state]) => samples.some((sample) => sample.state === state)).map(([state, text]) => [state, text]);
  return [["", "all outcomes"], ["bad", "all that do not pass"], ...states,
    ...(samples.some((sample) => sample.moved) ? [["moved", "moved by the strict judge"]] : []),
    ...index.outcomes.filter((outcome) => outcome !== "pass" && seen.has(outcome)).map((outcome) => [`=${outcome}`, outcome.replaceAll("_", " ")])];
}

function fillTasks(view) {
  const names = [...new Set(samples.filter((sample) => !view.run || sample.run === Number(view.run)).map((sample) => sample.task))];
  byId("task").replaceChildren(element("option", { value: "" }, "all tasks"), ...names.map((name) => element("option", { value: name }, name)));
}

function showList(view) {
  if (byId("task").dataset.run !== `${view.run}`) {
    fillTasks(view);
    byId("task").dataset.run = `${view.run}`;
  }
  for (const name of ["run", "task", "outcome", "order"]) setTo(byId(name), view[name]);
  if (byId("query").value !== view.q) byId("query").value = view.q;
  const key = JSON.stringify([view.q, view.run, view.task, view.outcome, view.order, list.texts !== null]);
  if (list.key !== key) {
    list.key = key;
    list.shown = SHOWN;
    list.found = samples.filter((sample) => isWanted(sample, view)).sort(Object.hasOwn(ORDERS, view.order) ? ORDERS[view.order] : byTask);
    showRows();
  }
  markRow(view.sample);
  if (view.q.length > 1 && !list.texts) searchTexts();
}

// An address may ask for what this page has none of: that is said, not left blank.
function setTo(control, value) {
  control.value = value;
  if (control.value === value) return;
  control.append(element("option", { value }, `${value.replace(/^=/, "")} (not on this page)`));
  control.value = value;
}

function isWanted(sample, view) {
  return (!view.run || sample.run === Number(view.run)) && (!view.task || sample.task === view.task)
    && hasOutcome(sample, view.outcome) && (!view.q || isFound(sample, view.q.toLowerCase()));
}

function hasOutcome(sample, wanted) {
  if (!wanted) return true;
  if (wanted === "bad") return sample.state !== "pass";
  if (wanted === "moved") return sample.moved;
  return wanted.startsWith("=") ? sample.whole === wanted.slice(1) : sample.state === wanted;
}

function isFound(sample, query) {
  const told = `${sample.task} #${sample.index} ${runs.get(sample.run).label} ${verdictOf(sample)}`.toLowerCase();
  return told.includes(query) || Boolean(list.texts?.get(sample.name)?.includes(query));
}

// All texts are unpacked once, when something is searched for; the list is made anew when they are there.
async function searchTexts() {
  list.searching ??= readTexts();
  byId("found").textContent = "searching the programs …";
  list.texts = await list.searching;
  showList(viewed());
}

async function readTexts() {
  const texts = new Map();
  for (let number = 0; byId(`chunk-${number}`); number += 1) {
    const chunk = await unpack(number);
    for (const [name, { program, answer = "", failures }] of Object.entries(chunk.samples)) {
      texts.set(name, [program, answer, ...failures.flatMap(({ lines }) => lines.map(([, text]) => text))].join("\n").toLowerCase());
    }
  }
  return texts;
}

function showRows() {
  const more = list.found.length - list.shown;
  byId("found").textContent = list.found.length === samples.length ? counted(samples.length, "sample") : `${list.found.length.toLocaleString("en")} of ${counted(samples.length, "sample")}`;
  const rows = list.found.slice(0, list.shown).map(row);
  const button = element("button", { type: "button", class: "more" }, `Show ${Math.min(more, SHOWN)} more`);
  button.addEventListener("click", () => { list.shown += SHOWN; showRows(); markRow(viewed().sample); });
  byId("rows").replaceChildren(element("ol", {}, ...rows), ...(more > 0 ? [button] : []), ...(list.found.length ? [] : [element("p", { class: "none" }, "No sample is like that.")]));
}

function row(sample) {
  return element("li", {},
    element("a", { href: fragment({ ...viewed(), sample: sample.name, other: "" }), "data-name": sample.name },
      mark(sample.state),
      element("span", { class: "task" }, sample.task, ...(sample.index ? [element("span", { class: "index" }, ` #${sample.index}`)] : [])),
      element("span", { class: "verdict" }, verdictOf(sample)),
      ...(runs.size > 1 ? [element("span", { class: "of", title: runs.get(sample.run).label }, runs.get(sample.run).label)] : [])));
}

function markRow(name) {
  const rows = byId("rows");
  rows.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const own = [...rows.querySelectorAll("a")].find((link) => link.dataset.name === name);
  own?.setAttribute("aria-current", "true");
  if (own && (own.offsetTop < rows.scrollTop || own.offsetTop + own.offsetHeight > rows.scrollTop + rows.clientHeight)) {
    rows.scrollTop = own.offsetTop - rows.clientHeight / 2;
  }
}

function step(by) {
  const at = list.found.findIndex((sample) => sample.name === viewed().sample);
  const next = at < 0 ? (by > 0 ? 0 : list.found.length - 1) : at + by;
  if (next < 0 || next >= list.found.length) return;
  if (next >= list.shown) { list.shown = next + SHOWN; showRows(); }
  go({ sample: list.found[next].name, other: "" });
}
