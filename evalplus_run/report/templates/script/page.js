// What is looked at stands in the address: #part, or #samples?run=1&outcome=fail&sample=….

// A link to another part leaves the list of samples as it is.

const NOTHING = { q: "", run: "", task: "", outcome: "", order: "task", sample: "", other: "" };

let seen = NOTHING;

function viewed() {
  const [part, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const given = new URLSearchParams(query);
  if (!part || part === "samples") seen = Object.fromEntries(Object.entries(NOTHING).map(([name, none]) => [name, given.get(name) ?? none]));
  return seen;
}

function fragment(view) {
  const told = Object.entries(NOTHING).filter(([name, none]) => view[name] !== undefined && view[name] !== none).map(([name]) => [name, view[name]]);
  return `#samples${told.length ? `?${new URLSearchParams(told)}` : ""}`;
}

function go(changes) {
  location.hash = fragment({ ...viewed(), ...changes });
}

function filterBy(changes) {
  history.replaceState(null, "", fragment({ ...viewed(), ...changes }));
  showList(viewed());
}

function follow() {
  const view = viewed();
  showList(view);
  const done = showSample(view);
  const [part, query] = location.hash.slice(1).split(/\?(.*)/s);
  const target = byId(part);
  if (part === "samples" && query) done.then(() => intoSight(view));
  if (target?.classList.contains("benchmark") && query) setAsTold(target, query);
  if (target instanceof HTMLDetailsElement) target.open = true;
}

function intoSight(view) {
  const place = view.sample && matchMedia("(max-width: 60rem)").matches ? byId("sample") : byId("samples");
  const box = place.getBoundingClientRect();
  if (box.top < 0 || box.top > innerHeight / 3) place.scrollIntoView();
}

function start() {
  restoreTheme();
  for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
  for (const section of document.querySelectorAll(".benchmark")) buildComparison(section);
  for (const code of document.querySelectorAll("pre.python > code")) code.replaceChildren(highlighted(code.textContent));
  buildExplorer();
  drawCharts();
  document.querySelector(".tools").hidden = false;
  byId("theme").addEventListener("click", changeTheme);
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  byId("help-close").addEventListener("click", () => byId("help").close());
  addEventListener("keydown", onKey);
  addEventListener("hashchange", follow);
  follow();
}

start();
