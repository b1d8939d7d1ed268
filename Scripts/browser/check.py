"""Opens the pages of `digest-query report` in Chromium, does what people do, and says what is wrong.

    python3 check.py CHROMIUM DIRECTORY    where drift.html and attack.html are; screenshots go there
"""

import json
import os
import re
import sys

from browser import Browser

faults = []


def check(holds, what):
    if not holds:
        faults.append(what)
        print(f"  wrong: {what}")


# What the page's policy or an injected script would do, told by the page itself.
WATCH = """
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""

# The keys of a column in their order, and what the header says about it.
COLUMN = """
  (([table, column]) => {
    const element = document.querySelectorAll("table.cards")[table];
    const failures = [...element.querySelectorAll("tbody.failure > tr:first-child")];
    const rows = failures.length > 0 ? failures : [...element.tBodies[0].rows];
    const head = document.querySelectorAll("table.cards")[table].tHead.rows[0].cells[column];
    return {
      order: head.getAttribute("aria-sort"),
      keys: rows.map((row) => {
        const cell = row.cells[column].cloneNode(true);
        // A place sorts without its marks, and a share without the one before.
        for (const mark of cell.querySelectorAll(".mark, .before")) mark.remove();
        const time = cell.querySelector("time");
        return time ? time.dateTime : cell.textContent.trim();
      }),
      rows: rows.map((row) => row.textContent),
    };
  })(%s)
"""

# Whether texts are in their order.
ORDERED = """
  ((keys) => keys.every((key, i) => i === 0 || new Intl.Collator("en", { numeric: true })
    .compare(keys[i - 1].trim(), key.trim()) %s 0))(%s)
"""

# What reaches over the right edge of the window and cannot be scrolled to within a box.
OVERHANG = """
  [...document.body.querySelectorAll("*")].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.right > innerWidth + 1
      && !element.closest(".scroll, .long, svg");
  }).map((element) => element.outerHTML.slice(0, 80))
"""

# The contrast of each piece of text with what is behind it (WCAG 2.2, "contrast ratio").
CONTRAST = """
  (() => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number);
    const luminance = (color) => {
      const [r, g, b] = channels(color).slice(0, 3).map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const paper = (element) => {
      for (; element; element = element.parentElement) {
        const color = getComputedStyle(element).backgroundColor;
        if ((channels(color)[3] ?? 1) > 0) return color;
      }
      return "rgb(255, 255, 255)";
    };
    const ratios = {};
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || element.closest("script, title")) continue;
      const style = getComputedStyle(element);
      const ink = element.closest("svg") ? style.fill : style.color;
      const [a, b] = [luminance(ink), luminance(paper(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) ratios[element.tagName + "." + element.className] = ratio;
    }
    return ratios;
  })()
"""


def events(browser, *methods):
    return [event["params"] for event in browser.events if event.get("method") in methods]


def check_quiet(browser, page):
    """Nothing was loaded, refused, injected or complained about."""
    url = browser.evaluate("location.href")
    requests = {event["request"]["url"] for event in events(browser, "Network.requestWillBeSent")}
    check(requests <= {url, "data:,"}, f"{page}: it loads {requests - {url}}")
    for kind in ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded",
                 "Audits.issueAdded", "Page.javascriptDialogOpening", "Page.windowOpen"]:
        for event in events(browser, kind):
            check(False, f"{page}: {kind}: {str(event)[:300]}")
    check(browser.evaluate("violations") == [], f"{page}: the policy is violated")
    check(not browser.evaluate("'injected' in window"), f"{page}: a value ran")
    counts = browser.evaluate(
        "['script', 'style', 'link', 'img', 'iframe', 'base', 'object', 'form'].map("
        "(name) => document.querySelectorAll(name).length)")
    check(counts == [1, 1, 1, 0, 0, 0, 0, 0], f"{page}: elements were injected: {counts}")
    handlers = browser.evaluate(
        "[...document.querySelectorAll('*')].flatMap((element) => [...element.attributes])"
        ".filter(({ name }) => name.startsWith('on') || name === 'style').length")
    check(handlers == 0, f"{page}: attributes were injected")


def check_refusal(browser):
    """The policy is one that is obeyed: an injected script would not run."""
    browser.evaluate(
        "(() => { const script = document.createElement('script');"
        " script.textContent = 'window.injected = 1'; document.body.append(script); })()")
    check(not browser.evaluate("'injected' in window"), "the policy lets any script run")
    check(browser.evaluate("violations.length") == 1, "the policy does not tell of a script")


def check_sorting(browser, page):
    tables = browser.evaluate("document.querySelectorAll('table.cards').length")
    check(tables >= 2, f"{page}: there are no tables to sort")
    for table in range(tables):
        heads = browser.evaluate(
            f"[...document.querySelectorAll('table.cards')[{table}].tHead.rows[0].cells]"
            ".map((head) => [head.textContent, head.className, head.querySelector('button') !== null])")
        for column, (title, classes, is_button) in enumerate(heads):
            if "trend" in classes:
                check(not is_button, f"{page}: {title} can be sorted by")
                continue
            check(is_button, f"{page}: {title} has no button")
            check_column(browser, f"{page}, table {table}, {title}", table, column, classes)


def check_column(browser, place, table, column, classes):
    """By mouse and by keyboard, both ways, and rows that are equal stay in their order."""
    press = (f"document.querySelectorAll('table.cards')[{table}].tHead.rows[0].cells[{column}]"
             ".querySelector('button')")
    is_number = "number" in classes
    first, second = (
        ("descending", "ascending") if is_number or "seen" in classes
        else ("ascending", "descending"))
    start = browser.evaluate(COLUMN % [table, column])
    if start["order"] == first:
        first, second = second, first
    previous = start
    for order, key in [(first, None), (second, "Enter"), (first, " ")]:
        if key:
            browser.evaluate(f"{press}.focus()")
            browser.press(key)
        else:
            browser.evaluate(f"{press}.click()")
        now = browser.evaluate(COLUMN % [table, column])
        check(now["order"] == order, f"{place}: it is {now['order']}, not {order}")
        check(sorted(now["rows"]) == sorted(start["rows"]), f"{place}: rows are lost")
        if is_number or "seen" in classes:
            def value(text):
                return float(text.strip("%").replace(",", "")) if is_number else text
            rows = list(zip(previous["keys"], previous["rows"]))
            known = [row for row in rows if row[0] != "\u2013"]
            known.sort(key=lambda row: value(row[0]), reverse=order == "descending")
            rows = known + [row for row in rows if row[0] == "\u2013"]
            check(now["rows"] == [row for _, row in rows], f"{place}: not sorted {order}, or not stably")
        else:
            known = [key for key in now["keys"] if key != "\u2013"]
            check(browser.evaluate(ORDERED % ("<=" if order == "ascending" else ">=", json.dumps(known))),
                  f"{place}: not sorted {order}")
            check(now["keys"][len(known):] == ["\u2013"] * (len(now["keys"]) - len(known)),
                  f"{place}: what is missing does not come last")
        previous = now
    orders = browser.evaluate(
        f"document.querySelectorAll('table.cards')[{table}].querySelectorAll('[aria-sort]').length")
    check(orders == 1, f"{place}: {orders} columns say that they are sorted by")


# The rows that are shown, each with what it is filtered by, and the numbers of the page.
SHOWN = """
  (() => {
    const contexts = JSON.parse(document.querySelector("#list").dataset.contexts);
    const rows = [...document.querySelectorAll("tbody.failure")]
      .filter((body) => body.getBoundingClientRect().height > 0);
    const number = (element) => parseInt(element.textContent.replaceAll(",", ""), 10);
    return {
      rows: rows.map(({ dataset, rows: [row] }) => ({
        ...dataset, verdicts: JSON.parse(dataset.verdicts ?? "[]"),
        occurrences: number(row.querySelector(".occurrences")),
        parts: JSON.parse(dataset.parts).map(([context, occurrences]) => [contexts[context], occurrences]),
      })),
      failures: number(document.querySelector("[data-total=failures]")),
      occurrences: number(document.querySelector("[data-total=occurrences]")),
      decodes: number(document.querySelector("[data-total=decodes]")),
      bars: [...document.querySelectorAll("figure g title")]
        .map((title) => number({ textContent: title.textContent.split(": ").pop() })),
      headings: [...document.querySelectorAll("tbody.group")]
        .filter((body) => body.getBoundingClientRect().height > 0).length,
      said: document.querySelector("output").textContent,
    };
  })()
"""


def check_filters(browser, directory, page):
    """Each filter leaves the rows of its value, counts them, the totals and the chart anew, and all come back."""
    every = browser.evaluate(SHOWN)
    names = browser.evaluate(
        "[...document.querySelectorAll('.filters select')].map((select) => select.name)")
    check(set(names) > {"operation", "model", "verdict", "state"}, f"{page}: the filters are {names}")
    of_context = {"operation": 0, "release": 1, "environment": 2, "source": 3}
    contexts = browser.evaluate("JSON.parse(document.querySelector('#list').dataset.contexts)")
    for index, name in enumerate(names):
        select = f"document.querySelectorAll('.filters select')[{index}]"
        values = browser.evaluate(f"[...{select}.options].slice(1).map(({{ value }}) => JSON.parse(value))")
        check(len(values) > 1, f"{page}: there is nothing to choose of {name}")
        choose = (f"(({{ select, index }}) => {{ select.selectedIndex = index;"
                  " select.dispatchEvent(new Event('change')); })({ select: " + select + ", index: %d })")
        for position, value in enumerate(values):
            browser.evaluate(choose % (position + 1))
            now = browser.evaluate(SHOWN)
            where = f"{page}, {name} {value!r}"
            # What was decoded without errors can be chosen too, and has no rows.
            def chosen(row):
                return sum(count for context, count in row["parts"]
                           if name not in of_context or context[of_context[name]] == value)
            most = sum(chosen(row) > 0 for row in every["rows"])
            check(len(now["rows"]) == most if name in of_context else 0 < len(now["rows"]) <= most,
                  f"{where}: {len(now['rows'])} rows")
            check(now["said"] == f"{len(now['rows'])} of {len(every['rows'])} listed failures", f"{where}: {now['said']}")
            check(now["failures"] == sum("notice" not in row for row in now["rows"]), f"{where}: {now['failures']} failures")
            # A release without failures is decoded, too.
            decodes = sum(count for context in contexts for model, count in context[4].items()
                          if (name not in of_context or context[of_context[name]] == value)
                          and (name != "model" or model == value))
            check(now["decodes"] == decodes, f"{where}: {now['decodes']} decodes, not {decodes}")
            check(now["headings"] <= every["headings"], f"{where}: headings without rows")
            for row in now["rows"]:
                if name in of_context:
                    check(row["occurrences"] == chosen(row) > 0,
                          f"{where}: {row['occurrences']}, not {chosen(row)}")
                elif name == "verdict":
                    check(value in row["verdicts"], f"{where}: shows others")
                else:
                    check(row.get(name, "") == value, f"{where}: shows others")
            errors = sum(row["occurrences"] for row in now["rows"] if not row.get("notice"))
            check(now["occurrences"] == errors, f"{where}: {now['occurrences']} occurrences, not {errors}")
            check(sum(now["bars"]) == errors, f"{where}: the chart has {sum(now['bars'])}, not {errors}")
        if name == "operation" and page == "drift":
            browser.screenshot(f"{directory}/{page}-filtered.png")
        browser.evaluate(choose % 0)
        check(browser.evaluate(SHOWN) == every, f"{page}: not all of {name} comes back")
    check_search(browser, page, every)


def check_search(browser, page, every):
    """A text leaves the rows that have it anywhere."""
    type_text = ("((text) => { const search = document.querySelector('.filters input'); search.value = text;"
                 " search.dispatchEvent(new Event('input')); })(%s)")
    found = every["rows"][0]["model"].upper()
    for text in [found, "nothing has this"]:
        browser.evaluate(type_text % json.dumps(text))
        rows = browser.evaluate(SHOWN)["rows"]
        check(all(text.lower() in f"{row['text']} {row['model']}".lower() for row in rows),
              f"{page}: a search shows others")
        check((len(rows) > 0) == (text == found), f"{page}: {len(rows)} rows for {text}")
    browser.evaluate(type_text % '""')
    check(browser.evaluate(SHOWN) == every, f"{page}: not all comes back after a search")


def look(browser, directory, page):
    url = f"file://{directory}/{page}.html"
    papers = {}
    for name, width, height, is_phone, scheme in [
        ("light", 1280, 900, False, "light"), ("dark", 1280, 900, False, "dark"),
        ("tablet", 800, 1000, False, "light"), ("phone", 360, 740, True, "light"),
        ("phone-dark", 360, 740, True, "dark"),
    ]:
        browser.device(width, height, is_phone)
        browser.media(scheme)
        browser.open(url)
        check_quiet(browser, f"{page} {name}")
        widths = browser.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        check(widths == [width, width], f"{page} {name}: it is {widths[0]} wide")
        check(browser.evaluate(OVERHANG) == [], f"{page} {name}: something hangs over the edge")
        ratios = browser.evaluate(CONTRAST)
        check(ratios == {}, f"{page} {name}: hard to read: {ratios}")
        papers[name] = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        # A picture of many rows is larger than Chromium makes one.
        browser.screenshot(f"{directory}/{page}-{name}.png", whole=page != "many")
    check(papers["light"] != papers["dark"], f"{page}: dark is light")
    check(papers["phone"] == papers["light"], f"{page}: a phone has colours of its own")


def check_paper(browser, directory, page):
    """No dark ink, no controls, all pages have the tables' headers."""
    browser.device(1280, 900)
    browser.media("dark", "print")
    browser.open(f"file://{directory}/{page}.html")
    paper = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    check(paper == "rgb(255, 255, 255)", f"{page}: paper is {paper}")
    check(
        browser.evaluate("getComputedStyle(document.querySelector('details')).display") == "none",
        f"{page}: what opens and closes is on paper")
    check(
        browser.evaluate("getComputedStyle(document.querySelector('thead')).display")
        == "table-header-group", f"{page}: headers are not repeated")
    # What a box shows on the screen when it is scrolled would take pages.
    tallest = browser.evaluate(
        "Math.max(0, ...[...document.querySelectorAll('.long')].map((box) => box.offsetHeight))")
    check(tallest < 200, f"{page}: a value is {tallest} tall on paper")
    browser.media("dark")
    pdf = browser.pdf(f"{directory}/{page}.pdf")
    check(pdf.startswith(b"%PDF-") and len(pdf) > 10_000, f"{page}: it cannot be printed")


def check_without_parts(browser, directory):
    """A page that is too large for counts by context filters rows, and counts nothing anew."""
    with open(f"{directory}/drift.html", encoding="utf-8") as page:
        text = re.sub(r'data-contexts="[^"]*"', 'data-contexts="[]"', page.read())
    text = text.replace('data-rest="0"', 'data-rest="1234"')
    with open(f"{directory}/parts.html", "w", encoding="utf-8") as page:
        page.write(re.sub(r'data-parts="[^"]*"', 'data-parts="[]"', text))
    browser.open(f"file://{directory}/parts.html")
    bars = "[...document.querySelectorAll('figure .bar')].map((bar) => bar.getAttribute('height'))"
    rows = "[...document.querySelectorAll('tbody.failure')].filter((body) => !body.hidden).length"
    (every, whole) = (browser.evaluate(rows), browser.evaluate(bars))
    browser.evaluate("(() => { const select = document.querySelector('select[name=kind]');"
                     " select.selectedIndex = 1; select.dispatchEvent(new Event('change')); })()")
    check(0 < browser.evaluate(rows) < every, "without parts no kind can be chosen")
    check(browser.evaluate("document.querySelector('[data-total=occurrences]').textContent") == "\u2013",
          "without parts occurrences are counted")
    check(browser.evaluate(bars) == whole, "without parts the chart changes")
    said = browser.evaluate("document.querySelector('output').textContent")
    check(said.endswith(" listed failures; 1,234 more are not listed, and not counted here"),
          f"without all failures it says {said}")


def check_without_script(browser, directory):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(f"file://{directory}/drift.html")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    check(browser.evaluate("document.querySelectorAll('button').length") == 0,
          "without a script there are buttons")
    check(browser.evaluate("document.querySelectorAll('table.cards tbody tr').length") > 20,
          "without a script there are no tables")
    opened = "document.querySelector('.detail details')"
    browser.evaluate(f"{opened}.querySelector('summary').click()")
    check(browser.evaluate(f"{opened}.open && {opened}.querySelector('dl').offsetHeight > 0"),
          "without a script no row opens")


def main(chromium, directory):
    directory = os.path.abspath(directory)
    with Browser(chromium) as browser:
        browser.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        for page in ["drift", "attack"]:
            print(f"== {page}")
            look(browser, directory, page)
            browser.device(1280, 900)
            browser.media("light")
            browser.open(f"file://{directory}/{page}.html")
            check_filters(browser, directory, page)
            check_sorting(browser, page)
            check_quiet(browser, f"{page}, sorted")
            check_paper(browser, directory, page)
        for page, count in [("none", 0), ("few", 5), ("many", 500)]:
            print(f"== {page}")
            look(browser, directory, page)
            rows = browser.evaluate("document.querySelectorAll('tbody.failure').length")
            check(rows == count, f"{page}: there are {rows} failures")
            if count > 0:
                check_paper(browser, directory, page)
        browser.open(f"file://{directory}/attack.html")
        check_refusal(browser)
        check_without_parts(browser, directory)
        check_without_script(browser, directory)
    print(f"{len(faults)} faults" if faults else f"ok; what it looks like is in {directory}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
