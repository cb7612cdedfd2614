// One sample in full, and beside it another run's program for the same task.

async function showSample(view) {
  const place = byId("sample");
  byId("explorer").classList.toggle("reading", Boolean(view.sample));
  place.hidden = !view.sample;
  if (!view.sample) return;
  const sample = sampleByName.get(view.sample);
  if (!sample) return place.replaceChildren(absent());
  const other = sampleByName.get(view.other);
  const key = `${view.sample} ${view.other}`;
  place.dataset.key = key;
  const [texts, others] = await Promise.all([textsOf(sample), other ? textsOf(other) : null]);
  if (place.dataset.key !== key) return;
  place.replaceChildren(...parts(sample, texts, other, others));
  place.scrollTop = 0;
}

function absent() {
  return element("div", { class: "absent" }, backLink(), element("h3", {}, "There is no such sample on this page"),
    element("p", {}, "The link may be of another page, or of a run that has been sampled anew."));
}

function backLink() {
  return element("a", { class: "back", href: fragment({ ...viewed(), sample: "", other: "" }) }, "← all samples");
}

function parts(sample, texts, other, others) {
  return [
    element("header", {}, backLink(),
      element("h3", {}, mark(sample.state), " ", sample.task, element("span", { class: "index" }, ` #${sample.index}`)),
      element("p", { class: "verdict" }, `${fullLabel(runs.get(sample.run))}: ${texts.verdict || verdictOf(sample)}`)),
    ...texts.failures.map(failure),
    ...(other ? [versus(sample, texts, other, others)] : []),
    ...(texts.program ? [heading("Program"), listing(texts.program, texts.failures.map(({ line }) => line))] : []),
    notes(texts, sample),
    alike(sample, other),
    asked(texts.asked, runs.get(sample.run).prompt),
    ...(texts.answer === undefined ? [] : [folded("Raw answer", element("pre", { class: "raw", tabindex: "0" }, texts.answer))]),
    ...(texts.reasoning ? [folded("Reasoning", element("pre", { class: "raw", tabindex: "0" }, texts.reasoning))] : []),
  ].filter(Boolean);
}

function heading(text) {
  return element("h4", {}, text);
}

// What the model was sent, where the run tells what stood around the task's text.
function asked(task, around) {
  const [before, after] = around ?? ["", ""];
  return folded(around ? "Prompt as sent" : "Task", element("pre", { class: "python", tabindex: "0" }, before, highlighted(task), after), true);
}

function failure({ title, lines }) {
  return element("section", { class: "failure" }, heading(title),
    element("dl", {}, ...lines.flatMap(([label, text]) => [element("dt", {}, label), element("dd", {}, element("code", {}, text))])));
}

function folded(title, content, open = false) {
  return element("details", { open }, element("summary", {}, title), content);
}

function notes(texts, sample) {
  const told = texts.notes.map(([name, note]) => `sanitizer, ${name}: ${note}`);
  if (texts.finish) told.push(`ended: ${texts.finish}`);
  if (texts.tokens !== null && texts.tokens !== undefined) told.push(counted(texts.tokens, "token"));
  if (texts.seconds) told.push(`${texts.seconds} s`);
  if (texts.cost !== null && texts.cost !== undefined) told.push(`cost ${texts.cost}`);
  if (sample.milliseconds) told.push(`${sample.milliseconds.toLocaleString("en")} ms of CPU in all tests`);
  return told.length ? element("p", { class: "sample-notes" }, told.join("; ")) : null;
}

// The same task elsewhere: other samples of it, and of other runs.
function alike(sample, other) {
  const found = samples.filter((one) => one.group === sample.group && one.place === sample.place && one !== sample);
  if (!found.length) return null;
  const items = found.slice(0, 60).map((one) => element("li", {},
    mark(one.state), " ",
    element("a", { href: fragment({ ...viewed(), sample: one.name, other: "" }) }, `${runs.get(one.run).label}${one.index || one.run === sample.run ? ` #${one.index}` : ""}`),
    element("span", { class: "verdict" }, ` ${verdictOf(one)} `),
    one === other
      ? element("a", { href: fragment({ ...viewed(), other: "" }) }, "hide diff")
      : element("a", { href: fragment({ ...viewed(), other: one.name }), "aria-label": `diff with ${runs.get(one.run).label} #${one.index}` }, "diff")));
  const more = found.length > 60 ? [element("li", {}, `and ${found.length - 60} more`)] : [];
  return folded(`The same task: ${counted(found.length, "other sample")}`, element("ul", { class: "alike" }, ...items, ...more), Boolean(other) || found.length <= 24);
}

function versus(sample, texts, other, others) {
  const same = texts.program === others.program;
  const title = `${runs.get(other.run).label} #${other.index} (-) and ${runs.get(sample.run).label} #${sample.index} (+)`;
  return element("section", { class: "versus" }, heading(`Difference: ${title}`),
    same ? element("p", {}, "The programs are the same.") : differenceView(others.program, texts.program));
}
