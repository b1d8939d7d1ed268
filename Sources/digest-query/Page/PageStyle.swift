/// The page's style sheet. A change needs another ``hash``, which a failing test tells.
enum PageStyle {
  /// Its SHA-256, which the page's policy lets through and nothing else.
  static let hash = "sha256-4aBQz5aOGPk6ZcLJgTfk9hyamgLDVzb6aMD6VBP+0ZE="

  static let css = """
    :root {
      color-scheme: light dark;
      --paper: #ffffff;
      --ink: #1b2026;
      --faint: #5a6470;
      --line: #d8dde3;
      --fill: #f2f4f6;
      --bar: #2f6ea5;
      --link: #1d5c94;
      --notice: #8a4b00;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #15181c;
        --ink: #e3e7eb;
        --faint: #9ba5b0;
        --line: #333a42;
        --fill: #20252b;
        --bar: #6ba6db;
        --link: #8cbce6;
        --notice: #e3a75c;
      }
    }

    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body {
      margin: 0 auto;
      max-width: 80rem;
      padding: 2.5rem clamp(1rem, 4vw, 3rem) 3rem;
      background: var(--paper);
      color: var(--ink);
      font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
      font-variant-numeric: tabular-nums;
      overflow-wrap: break-word;
    }
    h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; font-weight: 650; text-wrap: balance; }
    h2 { margin: 0 0 .25rem; font-size: 1.1875rem; line-height: 1.3; font-weight: 650; }
    p { margin: 0 0 .75rem; max-width: 44rem; }
    a { color: var(--link); text-underline-offset: .2em; text-decoration-color: var(--line); }
    a:hover { text-decoration-color: currentColor; }
    code { font: .92em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
    section { margin-top: 3rem; }
    .lead { margin: .5rem 0 0; font-size: 1.0625rem; }
    .note, footer { color: var(--faint); }
    .notice { margin: 1rem 0 0; max-width: 52rem; color: var(--notice); }
    .notice a { color: inherit; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }

    dl.filter {
      display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: 1rem 0 0;
    }
    dl.filter dt { color: var(--faint); }
    dl.filter dd { grid-column: 2; margin: 0; overflow-wrap: anywhere; }

    dl.totals { display: flex; flex-wrap: wrap; gap: 1.25rem 3rem; margin: 2rem 0 0; }
    dl.totals div { display: flex; flex-direction: column-reverse; justify-content: flex-end; }
    dl.totals dt { color: var(--faint); font-size: .9375rem; }
    dl.totals dd { margin: 0; font-size: 1.75rem; line-height: 1.2; font-weight: 600; }

    figure { display: flex; gap: .625rem; margin: 1rem 0 .5rem; }
    figure.few { max-width: 34rem; }
    figure svg { flex: 1; min-width: 0; height: 180px; overflow: visible; display: block; }
    .scale {
      display: flex; flex-direction: column; justify-content: space-between;
      height: 164px; margin-top: -7px; line-height: 14px;
      color: var(--faint); font-size: 13px; text-align: right;
    }
    .grid { stroke: var(--line); stroke-width: 1; shape-rendering: crispEdges; }
    .base { stroke: var(--faint); stroke-width: 1; shape-rendering: crispEdges; }
    .bar { fill: var(--bar); }
    .period { fill: transparent; }
    .unknown { fill: var(--line); }
    g:hover > .period { fill: var(--line); fill-opacity: .5; }
    .axis { fill: var(--faint); font-size: 13px; }
    .course svg { display: block; width: 6rem; height: 1.25rem; }
    .course path { fill: var(--bar); }
    details { margin-top: .5rem; }
    summary { width: max-content; color: var(--faint); font-size: .9375rem; cursor: pointer; }
    details table { width: auto; margin-top: .5rem; }

    .scroll { overflow-x: auto; margin-top: .75rem; }
    table { width: 100%; border-collapse: collapse; font-size: .9375rem; line-height: 1.4; }
    th, td { padding: .4375rem 1rem .4375rem 0; text-align: left; vertical-align: top; }
    th:last-child, td:last-child { padding-right: 0; }
    thead th {
      border-bottom: 1px solid var(--faint);
      color: var(--faint); font-size: .875rem; font-weight: 500; vertical-align: bottom;
    }
    tbody tr + tr > * { border-top: 1px solid var(--line); }
    .number { text-align: right; white-space: nowrap; }
    td.occurrences { font-weight: 600; }
    time { white-space: nowrap; }
    /* The day and the time on lines of their own, where there is no room for both on one. */
    .seen { min-width: 7.5em; }
    .seen time { white-space: normal; }
    td { overflow-wrap: anywhere; }
    .model, .found { min-width: 10em; max-width: 20em; }
    .value { min-width: 14em; max-width: 20em; }
    .place { min-width: 13em; max-width: 20em; }
    .expected { min-width: 6.5em; }
    .kind { min-width: 6em; }
    .text { white-space: pre-wrap; }
    .text code { padding: .0625rem .25rem; border-radius: 3px; background: var(--fill); }
    /* Of the last line only a half, so that it can be seen that there is more. */
    .long { max-height: 6.5em; overflow-y: auto; }
    .type, .of { color: var(--faint); font-size: .875rem; }
    .of { display: block; }
    .more { margin-top: .75rem; color: var(--faint); font-size: .9375rem; overflow-wrap: anywhere; }
    .more code { color: var(--ink); }

    th button {
      margin: 0; padding: 0; border: 0; background: none; color: inherit;
      font: inherit; text-align: inherit; cursor: pointer; white-space: nowrap;
    }
    th button::after { content: "\\2195"; padding-left: .25rem; opacity: .4; }
    th[aria-sort] button { color: var(--ink); }
    th[aria-sort] button::after { opacity: 1; }
    th[aria-sort="ascending"] button::after { content: "\\2191"; }
    th[aria-sort="descending"] button::after { content: "\\2193"; }
    th button:hover { color: var(--ink); }

    ul.ledger { margin: .5rem 0 0; padding-left: 1.25rem; max-width: 52rem; overflow-wrap: anywhere; }
    footer {
      margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--line);
      font-size: .9375rem;
    }
    footer p { margin-bottom: .375rem; max-width: 52rem; }

    @media screen and (max-width: 76rem) {
      table { font-size: .875rem; }
      th, td { padding-right: .75rem; }
      .course svg { width: 4.5rem; }
      .place, .value { min-width: 10em; }
    }

    @media screen and (max-width: 62rem) {
      body { padding-top: 1.5rem; }
      h1 { font-size: 1.5rem; }
      section { margin-top: 2.5rem; }
      dl.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 1rem 1.5rem; }
      dl.totals dd { font-size: 1.5rem; }
      table.cards, .cards thead, .cards tbody { display: block; }
      html:not(.sortable) .cards thead { display: none; }
      .cards thead tr { display: flex; flex-wrap: wrap; gap: .25rem .875rem; padding-bottom: .75rem; }
      .cards thead tr::before { content: "Sort by"; padding: .25rem 0; font-size: .875rem; color: var(--faint); }
      .cards thead th { min-width: 0; padding: 0; border: 0; }
      .cards thead th.course { display: none; }
      .cards thead button { padding: .25rem 0; }
      .cards tbody tr {
        display: grid; grid-template-columns: repeat(6, 1fr); gap: .5rem 1rem;
        padding: .875rem 0; border-top: 1px solid var(--line);
      }
      .cards tbody tr > * {
        grid-column: span 2; min-width: 0; padding: 0; border: 0; text-align: left;
      }
      .cards .place, .cards .value, .cards .model, .cards .found { grid-column: 1 / -1; }
      .cards .seen, .cards .kind, .cards .expected { grid-column: span 3; }
      .cards .course svg { width: 100%; }
      .cards td::before {
        display: block; color: var(--faint); font-size: .8125rem; font-weight: 400;
        white-space: normal;
      }
      td.kind::before { content: "Kind"; }
      td.expected::before { content: "Expected"; }
      td.found::before { content: "Found"; }
      td.occurrences::before { content: "Occurrences"; }
      td.digests::before { content: "Digests"; }
      td.share::before { content: "Share"; }
      td.failures::before { content: "Failures"; }
      td.values::before { content: "Novel values"; }
      td.course::before { content: "Trend"; }
      td.first::before { content: "First seen"; }
      td.last::before { content: "Last seen"; }
    }

    @media print {
      :root {
        color-scheme: light;
        --paper: #ffffff; --ink: #000000; --faint: #4a4a4a; --line: #c4c4c4; --fill: #f2f2f2;
        --bar: #6a6a6a; --link: #000000; --notice: #000000;
      }
      @page { margin: 14mm; }
      body { max-width: none; padding: 0; font-size: 10pt; }
      h1 { font-size: 17pt; }
      h2 { font-size: 12pt; break-after: avoid; }
      h2 + p { break-after: avoid; }
      section { margin-top: 8mm; }
      figure, dl.totals, footer { break-inside: avoid; }
      dl.totals dd { font-size: 15pt; }
      details, th button::after { display: none; }
      a { text-decoration: none; }
      .scroll { overflow: visible; }
      /* Nobody can scroll there: the beginning, and a mark that there is more. */
      .long {
        display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 6;
        max-height: none; overflow: hidden;
      }
      .lead { font-size: 11pt; }
      table, .more, footer { font-size: 8pt; }
      thead { display: table-header-group; }
      thead th, .type, .of { font-size: 7.5pt; }
      th, td { padding: 1.2mm 2.5mm 1.2mm 0; }
      tr { break-inside: avoid; }
      th button { display: contents; }
      .course svg { width: 16mm; height: 4mm; }
      .bar, .course path, .text code {
        -webkit-print-color-adjust: exact; print-color-adjust: exact;
      }
    }
    """
}
