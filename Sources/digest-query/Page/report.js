"use strict";
{
  const words = new Intl.Collator("en", { numeric: true });
  const grouped = (number) => number.toLocaleString("en-US");
  // Three digits, or the first one of a small number.
  const percent = (share) => {
    const number = share * 100;
    const short = +number.toFixed(number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3);
    return `${short > 0 ? short : +number.toPrecision(1)}%`;
  };

  // The sort key of a cell: a time, a number or text. Rows without a value come last in either order.
  const keyOf = (cell, isNumber) => {
    const time = cell.querySelector("time");
    if (time) return time.dateTime;
    const marks = [...cell.querySelectorAll(".mark")].map((mark) => mark.textContent + " ").join("");
    const text = cell.textContent.slice(marks.length).trim();
    if (!isNumber) return text === "\u2013" ? null : text;
    const number = parseFloat(text.replaceAll(",", ""));
    return Number.isNaN(number) ? null : number;
  };

  const compare = (a, b) => typeof a === "number" ? a - b : words.compare(a, b);

  // What is moved when a table is sorted: a failure with what it opens, or a row.
  const itemsOf = (table) => {
    const failures = [...table.querySelectorAll("tbody.failure")];
    return failures.length > 0 ? failures : [...table.tBodies[0].rows];
  };

  const sort = (table, heads, column) => {
    const head = heads[column];
    const isNumber = head.classList.contains("number");
    const isGreatestFirst = isNumber || head.classList.contains("seen");
    const order = {
      ascending: "descending",
      descending: "ascending",
    }[head.getAttribute("aria-sort")] ?? (isGreatestFirst ? "descending" : "ascending");
    const sign = order === "ascending" ? 1 : -1;
    const items = itemsOf(table).map((item) => ({
      item,
      key: keyOf((item.rows?.[0] ?? item).cells[column], isNumber),
    }));
    items.sort((a, b) =>
      a.key === null || b.key === null
        ? (a.key === null) - (b.key === null)
        : sign * compare(a.key, b.key));
    // Sorted rows have no headings.
    for (const group of table.querySelectorAll("tbody.group")) group.remove();
    const parent = items[0]?.item.parentElement;
    parent?.append(...items.map(({ item }) => item));
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

  // Filters count what is left anew: rows, totals and the chart.
  const list = document.getElementById("list");
  const contexts = JSON.parse(list?.dataset.contexts ?? "[]").map(([operation, release, environment, source, decodes]) =>
    ({ operation, release, environment, source, decodes: new Map(Object.entries(decodes)) }));
  // A large page has no counts by context, and so none of what is left.
  const hasParts = contexts.length > 0;
  const bars = [...document.querySelectorAll("figure g")].map((group) => ({
    bar: group.querySelector(".bar"), title: group.querySelector("title"),
  }));
  const figure = document.querySelector("figure");
  const height = 150;

  const failures = [...document.querySelectorAll("#list tbody.failure")].map((body) => ({
    body, data: body.dataset, parts: JSON.parse(body.dataset.parts),
    verdicts: JSON.parse(body.dataset.verdicts ?? "[]"),
    occurrences: body.querySelector(".occurrences"),
    share: body.querySelector(".rate .now"), before: body.querySelector(".rate .before"),
    path: body.querySelector(".trend path"), peak: body.querySelector(".trend title"),
  }));
  for (const failure of failures) {
    failure.whole = [failure.occurrences.innerHTML, failure.share?.innerHTML,
      failure.path?.getAttribute("d"), failure.peak?.textContent];
  }
  const wholeBars = bars.map(({ bar, title }) =>
    [bar?.getAttribute("y"), bar?.getAttribute("height"), title.textContent]);
  const totals = [...document.querySelectorAll("[data-total]")];
  const wholeTotals = totals.map((element) => element.textContent);

  // The filters by names of contexts choose parts of failures; the others choose failures.
  const choices = [
    { title: "Operation", ofContext: (context) => context.operation },
    { title: "Release", ofContext: (context) => context.release },
    { title: "Environment", ofContext: (context) => context.environment },
    { title: "Source", ofContext: (context) => context.source },
    { title: "Model", of: ({ data }) => [data.model] },
    { title: "Kind", of: ({ data }) => [data.kind] },
    { title: "Section", of: ({ data }) => [data.section] },
    { title: "Verdict", of: ({ verdicts }) => verdicts },
    { title: "State", of: ({ data }) => data.state ? [data.state] : [] },
  ].map((choice) => ({
    ...choice,
    values: [...new Set(choice.of ? failures.flatMap(choice.of) : contexts.map(choice.ofContext))]
      .sort((a, b) => (a === null) - (b === null) || words.compare(a, b)),
  })).filter(({ values }) => values.length > 1);

  const steps = (course, most) => {
    let path = `M0 20`;
    for (const count of course) path += `V${20 - Math.ceil(count / most * 20)}h1`;
    return path + "V20z";
  };

  const show = (failure, chosen) => {
    const periods = bars.length;
    const course = Array(periods).fill(0);
    let [occurrences, rated] = [0, 0];
    for (const [context, errors, digests, ...counts] of failure.parts) {
      if (!chosen.has(context)) continue;
      occurrences += errors;
      rated += digests;
      for (let i = 0; i < counts.length; i += 2) course[counts[i]] += counts[i + 1];
    }
    let decodes = 0;
    for (const context of chosen) decodes += contexts[context].decodes.get(failure.data.model) ?? 0;
    failure.occurrences.textContent = grouped(occurrences);
    if (failure.share) failure.share.textContent = decodes > 0 && rated > 0 ? percent(rated / decodes) : "\u2013";
    if (failure.before) failure.before.hidden = true;
    const most = Math.max(1, ...course);
    failure.path?.setAttribute("d", steps(course, most));
    if (failure.peak) failure.peak.textContent = `At most ${grouped(most)}`;
    return { occurrences, course };
  };

  const restore = (failure) => {
    const [occurrences, share, path, peak] = failure.whole;
    failure.occurrences.innerHTML = occurrences;
    if (failure.share) failure.share.innerHTML = share;
    if (failure.before) failure.before.hidden = false;
    failure.path?.setAttribute("d", path);
    if (failure.peak) failure.peak.textContent = peak;
  };

  const apply = (search, count) => {
    const used = choices.filter(({ select }) => select.value !== "");
    const text = search.value.trim().toLowerCase();
    const chosen = new Set([...contexts.keys()].filter((index) => used.every(({ ofContext, select }) =>
      !ofContext || ofContext(contexts[index]) === JSON.parse(select.value))));
    const isPart = used.some(({ ofContext }) => ofContext);
    const isAll = used.length === 0 && text === "";
    const course = Array(bars.length).fill(0);
    let [rows, errors, occurrences] = [0, 0, 0];
    const model = JSON.parse(used.find(({ title }) => title === "Model")?.select.value ?? "null");
    for (const failure of failures) {
      restore(failure);
      const isNamed = used.every(({ of, select }) => !of || of(failure).includes(JSON.parse(select.value)))
        && (failure.data.text + " " + failure.data.model).toLowerCase().includes(text);
      const sums = isNamed && !isAll && hasParts ? show(failure, chosen) : { occurrences: 0, course: [] };
      failure.body.hidden = !isAll && (!isNamed || isPart && sums.occurrences === 0);
      if (!isPart) restore(failure);
      if (failure.body.hidden) continue;
      rows += 1;
      if (failure.data.notice) continue;
      errors += 1;
      occurrences += sums.occurrences;
      sums.course.forEach((errors, period) => { course[period] += errors; });
    }
    // A heading stays with a row below it.
    for (const group of list.querySelectorAll("tbody.group")) {
      let next = group.nextElementSibling;
      while (next?.classList.contains("failure") && next.hidden) next = next.nextElementSibling;
      group.hidden = !next?.classList.contains("failure");
    }
    // As in the commands, only a model and contexts choose decodes.
    let decodes = 0;
    for (const context of chosen) {
      for (const [name, count] of contexts[context].decodes) {
        if (model === null || name === model) decodes += count;
      }
    }
    const known = (number) => hasParts ? grouped(number) : "\u2013";
    const numbers = {
      rate: "\u2013", decodes: known(decodes), failures: grouped(errors), occurrences: known(occurrences),
    };
    totals.forEach((element, index) => {
      element.textContent = isAll ? wholeTotals[index] : numbers[element.dataset.total];
    });
    bars.forEach(({ bar, title }, index) => {
      const [y, whole, name] = wholeBars[index];
      const part = Math.round(course[index] / (figure?.dataset.top ?? 1) * height);
      const isWhole = isAll || !hasParts;
      const tall = isWhole ? whole : course[index] > 0 ? Math.max(1, part) : 0;
      bar?.setAttribute("height", tall);
      bar?.setAttribute("y", isWhole ? y : height - tall);
      title.textContent = isWhole || !bar ? name : name.replace(/: [\d,]+$/, `: ${grouped(course[index])}`);
    });
    const rest = Number(list.dataset.rest);
    const left = rest > 0 ? `; ${grouped(rest)} more are not listed, and not counted here` : "";
    count.textContent = isAll ? "" : `${rows} of ${failures.length} listed failures${left}`;
  };

  if (failures.length > 1) {
    const form = document.createElement("div");
    form.className = "filters";
    const count = document.createElement("output");
    const search = document.createElement("input");
    search.type = "search";
    search.name = "search";
    const field = document.createElement("label");
    field.append("Search ", search);
    form.append(field);
    for (const choice of choices) {
      const label = document.createElement("label");
      choice.select = document.createElement("select");
      choice.select.name = choice.title.toLowerCase();
      choice.select.append(new Option("All", ""));
      for (const value of choice.values) choice.select.append(new Option(value ?? "(none)", JSON.stringify(value)));
      choice.select.addEventListener("change", () => apply(search, count));
      label.append(choice.title, " ", choice.select);
      form.append(label);
    }
    search.addEventListener("input", () => apply(search, count));
    form.append(count);
    document.querySelector("main").prepend(form);
  }
}
