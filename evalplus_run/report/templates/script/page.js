// What is looked at stands in the address: #part, or #samples?run=1&outcome=fail&sample=….

const NOTHING = { q: "", run: "", task: "", outcome: "", order: "task", sample: "", other: "" };

function viewed() {
  const [part, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const given = part === "samples" ? new URLSearchParams(query) : new URLSearchParams();
  return Object.fromEntries(Object.entries(NOTHING).map(([name, none]) => [name, given.get(name) ?? none]));
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
  if (target?.classList.contains("benchmark") && query) followComparison(target, query);
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
  for (const choice of document.querySelectorAll("select.against")) chooseComparison(choice);
  for (const section of document.querySelectorAll(".benchmark")) showComparison(section);
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
