// What the page knows: an index that is read at once, and chunks of texts that are unpacked when they are asked for.

const index = JSON.parse(byId("index").textContent);
const runs = new Map(index.runs.map((run, place) => [place + 1, { ...run, number: place + 1 }]));
const groups = new Map(index.groups.map((group, place) => [place + 1, { ...group, number: place + 1 }]));
for (const run of runs.values()) run.samples = samplesOf(run.number);
const samples = [...runs.values()].flatMap((run) => run.samples);
const sampleByName = new Map(samples.map((sample) => [sample.name, sample]));
const unpacked = new Map();
const KEPT = 12;

function samplesOf(number) {
  const run = runs.get(number);
  const group = groups.get(run.group);
  const last = group.suites.filter((suite) => suite in run.outcomes.evalplus).at(-1);
  return run.tasks.map((place, at) => {
    const task = group.tasks[place];
    const base = outcomeAt(run.outcomes.evalplus.base, at);
    const whole = outcomeAt(run.outcomes.evalplus[last], at);
    const strict = run.outcomes.strict;
    return {
      name: `${number}/${run.indices[at]}/${task}`,
      run: number, group: run.group, place, task, index: run.indices[at], milliseconds: run.milliseconds[at],
      base, whole, state: stateOf(base, whole),
      moved: Boolean(strict) && ["base", last].some((suite) => passes(run.outcomes.evalplus[suite], at) !== passes(strict[suite], at)),
    };
  });
}

function outcomeAt(letters, at) {
  return letters[at] === "-" ? "" : index.outcomes[letters.charCodeAt(at) - 97];
}

function passes(letters, at) {
  return outcomeAt(letters, at) === "pass";
}

function stateOf(base, whole) {
  if (!whole || whole === "host_fault") return "open";
  if (whole === "pass") return "pass";
  return base === "pass" ? "half" : "fail";
}

const STATES = { pass: "passes", half: "passes base only", fail: "fails", open: "not judged" };

// A run's name where runs of several benchmarks stand together.
function fullLabel(run) {
  return groups.size > 1 ? `${run.label}, ${groups.get(run.group).title}` : run.label;
}

function hasPlus(group) {
  return groups.get(group).suites.length > 1;
}

function verdictOf(sample) {
  if (!sample.whole) return "not judged yet";
  return sample.state === "half" ? `base pass, plus ${sample.whole}` : sample.whole.replaceAll("_", " ");
}

function mark(state) {
  return element("span", { class: `state ${state}`, role: "img", "aria-label": STATES[state], title: STATES[state] });
}

async function textsOf(sample) {
  const chunk = await chunkOf(sample.group, sample.place);
  return { ...chunk.samples[sample.name], asked: chunk.tasks[sample.task].asked };
}

function chunkOf(group, place) {
  const number = groups.get(group).chunks[place];
  if (!unpacked.has(number)) {
    unpacked.set(number, unpack(number));
    if (unpacked.size > KEPT) unpacked.delete(unpacked.keys().next().value);
  }
  return unpacked.get(number);
}

async function unpack(number) {
  const packed = Uint8Array.from(atob(byId(`chunk-${number}`).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}
