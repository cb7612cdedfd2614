// What a benchmark's part is set to stands in its address: #benchmark-1?k=10&against=3&map=order&scores=-2, the last
// for the table of scores by its second column downwards.

function remember(section) {
  const told = new URLSearchParams([...chosenIn(section), ...sortedIn(section)]).toString();
  history.replaceState(null, "", `#${section.id}${told && "?"}${told}`);
}

function chosenIn(section) {
  return [...section.querySelectorAll("select[data-name]")].filter((one) => one.value !== one.dataset.none).map((one) => [one.dataset.name, one.value]);
}

function* sortedIn(section) {
  for (const table of section.querySelectorAll("table[data-name]")) {
    const column = [...table.querySelectorAll("thead th")].findIndex((head) => head.ariaSort);
    if (column >= 0) yield [table.dataset.name, (table.querySelector("[aria-sort=descending]") ? -1 : 1) * (column + 1)];
  }
}

// A link does what a hand would do: first k, which says with which runs there is a comparison.
function setAsTold(section, query) {
  const told = new URLSearchParams(query);
  for (const name of ["k", "against", "map"]) choose(choiceOf(section, name), told.get(name));
  for (const table of section.querySelectorAll("table[data-name]")) {
    const column = Number(told.get(table.dataset.name));
    if (Number.isInteger(column) && column && Math.abs(column) <= table.tHead.rows[0].cells.length) sortBy(table, Math.abs(column) - 1, column < 0);
  }
  remember(section);
  section.scrollIntoView();
}

function choose(select, value) {
  if (![...(select?.options ?? [])].some((option) => option.value === value)) return;
  select.value = value;
  select.dispatchEvent(new Event("change"));
}
