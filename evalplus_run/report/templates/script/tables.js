// Tables that sort by their columns.

function makeSortable(table) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = element("button", { type: "button", class: "sort" }, ...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numeric = head.classList.contains("number");
      sortBy(table, column, head.ariaSort ? head.ariaSort === "ascending" : numeric);
      remember(table.closest(".benchmark"));
    });
  });
}

function sortBy(table, column, downwards) {
  const heads = [...table.querySelectorAll("thead th")];
  const numeric = heads[column].classList.contains("number");
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[column].setAttribute("aria-sort", downwards ? "descending" : "ascending");
  const value = (row) => numeric ? Number(row.cells[column].dataset.value ?? row.cells[column].textContent.replaceAll(",", "")) || 0 : row.cells[column].textContent;
  const rows = [...table.tBodies[0].rows].sort((a, b) => numeric ? value(a) - value(b) : value(a).localeCompare(value(b), "en", { numeric: true }));
  table.tBodies[0].append(...(downwards ? rows.reverse() : rows));
}
