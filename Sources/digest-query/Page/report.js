"use strict";
{
  const words = new Intl.Collator("en", { numeric: true });

  // The sort key of a row: a time, a number or text. Rows without a value come last in either order.
  const keyOf = (cell, isNumber) => {
    const time = cell.querySelector("time");
    if (time) return time.dateTime;
    const text = cell.textContent.trim();
    if (!isNumber) return text === "\u2013" ? null : text;
    const number = parseFloat(text.replaceAll(",", ""));
    return Number.isNaN(number) ? null : number;
  };

  const compare = (a, b) =>
    typeof a === "number" ? a - b : words.compare(a, b);

  const sort = (table, heads, column) => {
    const head = heads[column];
    const isNumber = head.classList.contains("number");
    const isGreatestFirst = isNumber || head.classList.contains("seen");
    const order = {
      ascending: "descending",
      descending: "ascending",
    }[head.getAttribute("aria-sort")] ?? (isGreatestFirst ? "descending" : "ascending");
    const sign = order === "ascending" ? 1 : -1;
    const rows = [...table.tBodies[0].rows].map((row) => ({
      row,
      key: keyOf(row.cells[column], isNumber),
    }));
    rows.sort((a, b) =>
      a.key === null || b.key === null
        ? (a.key === null) - (b.key === null)
        : sign * compare(a.key, b.key));
    table.tBodies[0].append(...rows.map(({ row }) => row));
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
  };

  for (const table of document.querySelectorAll("table.cards")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.classList.contains("trend")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, heads, column));
      head.append(button);
    });
    // On a phone rows look like cards. Screen readers still announce them as rows.
    table.setAttribute("role", "table");
    for (const row of table.rows) row.setAttribute("role", "row");
    for (const cell of table.querySelectorAll("td")) cell.setAttribute("role", "cell");
    for (const head of heads) head.setAttribute("role", "columnheader");
  }
  document.documentElement.classList.add("sortable");
}
