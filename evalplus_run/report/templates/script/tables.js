// Tables that sort by their columns, and the choice of the run that all others are compared with.

function makeSortable(table) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = element("button", { type: "button", class: "sort" }, ...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortBy(table, head, column));
  });
}

function sortBy(table, head, column) {
  const numeric = head.classList.contains("number");
  const downwards = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : numeric;
  for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", downwards ? "descending" : "ascending");
  const value = (row) => numeric ? Number(row.cells[column].dataset.value ?? row.cells[column].textContent.replaceAll(",", "")) || 0 : row.cells[column].textContent;
  const rows = [...table.tBodies[0].rows].sort((a, b) => numeric ? value(a) - value(b) : value(a).localeCompare(value(b), "en", { numeric: true }));
  table.tBodies[0].append(...(downwards ? rows.reverse() : rows));
}

function chooseComparison(select) {
  const section = select.closest("section");
  select.closest(".control").hidden = false;
  select.addEventListener("change", () => {
    history.replaceState(null, "", `#${section.id}?against=${select.value}`);
    showComparison(section);
  });
}

function showComparison(section) {
  const chosen = section.querySelector("select.against")?.value;
  for (const part of section.querySelectorAll("[data-against]")) part.hidden = Boolean(chosen) && part.dataset.against !== chosen;
  const place = section.querySelector(".flips");
  if (place) showFlips(place, chosen ? Number(chosen) : groups.get(Number(place.dataset.group)).runs[0]);
}

// `#benchmark-1?against=3`
function followComparison(section, query) {
  const select = section.querySelector("select.against");
  const wanted = new URLSearchParams(query).get("against");
  if (select && [...select.options].some((option) => option.value === wanted)) {
    select.value = wanted;
    showComparison(section);
  }
  section.scrollIntoView();
}

// The tasks on which another run is ahead of this one, or behind it, each a link to the two programs.
function showFlips(place, number) {
  const group = groups.get(Number(place.dataset.group));
  const others = group.runs.filter((other) => other !== number);
  place.replaceChildren(...others.map((other) => {
    const details = element("details", {}, element("summary", {}, `Where ${runs.get(other).label} differs`));
    details.addEventListener("toggle", () => details.append(...flips(group, other, number)), { once: true });
    return details;
  }));
}

function flips(group, other, number) {
  const [rates, own] = [ratesOf(other, group), ratesOf(number, group)];
  const lead = (task) => rates[task].whole / rates[task].all - own[task].whole / own[task].all;
  const both = group.tasks.map((_, task) => task).filter((task) => own[task].all && rates[task].all);
  const link = (task) => element("a", { href: fragment({ sample: rates[task].first.name, other: own[task].first.name }) }, group.tasks[task]);
  return [["Ahead", (task) => lead(task) > 0], ["Behind", (task) => lead(task) < 0]].map(([title, isSo]) => {
    const tasks = both.filter(isSo);
    return element("p", { class: "flip" }, element("strong", {}, `${title} on ${tasks.length}`), tasks.length ? ": " : "", ...tasks.flatMap((task) => [link(task), " "]));
  });
}
