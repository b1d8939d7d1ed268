"use strict";
{
  const words = new Intl.Collator("en", { numeric: true });

  // The sort key of a row: a time, a number or text. Rows without a value come last in either order.
  const keyOf = (cell, isNumber) => {
    const time = cell.querySelector("time");
    if (time) return time.dateTime;
    const mark = cell.querySelector(".new")?.textContent ?? "";
    const text = cell.textContent.slice(mark.length).trim();
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

  // Filters for what rows say of themselves. Without two different answers there is nothing to choose.
  const rows = [...document.querySelectorAll("table.cards tbody tr")];
  const listOf = (row, name) => JSON.parse(row.dataset[name] ?? "[]");
  const filters = [["operations", "Operation"], ["verdicts", "Verdict"], ["states", "State"]]
    .map(([name, title]) => ({
      name, title, values: [...new Set(rows.flatMap((row) => listOf(row, name)))].sort(words.compare),
    }))
    .filter(({ values }) => values.length > 1);
  if (filters.length > 0) {
    const bar = document.createElement("div");
    bar.className = "filters";
    const count = document.createElement("output");
    const apply = () => {
      const chosen = filters.filter(({ select }) => select.value !== "");
      const judged = rows.filter((row) => filters.some(({ name }) => row.dataset[name]));
      for (const row of judged) {
        row.hidden = chosen.some(({ name, select }) =>
          !listOf(row, name).includes(JSON.parse(select.value)));
      }
      const shown = judged.filter((row) => !row.hidden).length;
      count.textContent = chosen.length === 0 ? ""
        : `${shown} of ${judged.length} rows: ${chosen.map(({ select }) => JSON.parse(select.value)).join(", ")}`;
    };
    for (const filter of filters) {
      const label = document.createElement("label");
      filter.select = document.createElement("select");
      filter.select.name = filter.name;
      filter.select.append(new Option("All", ""));
      for (const value of filter.values) {
        filter.select.append(new Option(value, JSON.stringify(value)));
      }
      filter.select.addEventListener("change", apply);
      label.append(filter.title, " ", filter.select);
      bar.append(label);
    }
    bar.append(count);
    document.querySelector("main").prepend(bar);
  }
}
