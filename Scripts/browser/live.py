"""Opens the page of `digest-query serve` in Chromium: it shows what is new, and sends decisions.

    python3 live.py CHROMIUM DIGEST_QUERY DIRECTORY    screenshots go to the directory
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request

from browser import Browser

faults = []
UPLOADER, READER, DECIDER = "a" * 16, "b" * 16, "c" * 16


def check(holds, what):
    if not holds:
        faults.append(what)
        print(f"  wrong: {what}")


class Server:
    """A server in a folder of its own; ends with the `with` block."""

    def __init__(self, tool):
        self.folder = tempfile.TemporaryDirectory()
        for name, text in [("up", f"app {UPLOADER}\n"), ("read", f"team {READER}\nmara {DECIDER} triage\n")]:
            path = os.path.join(self.folder.name, name)
            with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
                file.write(text)
        self.process = subprocess.Popen(
            [tool, "serve", "--listen", "127.0.0.1:0", "--store", "s.sqlite", "--upload-tokens", "up",
             "--read-tokens", "read"],
            cwd=self.folder.name, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().split()[-1]
        self.last = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    def upload(self, value):
        self.last += 1
        line = {
            "id": f"{'0' * 31}1-{self.last}-1795168800000", "recordedAt": "2026-11-20T10:00:00Z",
            "model": "App.Listing", "release": "4.2.0",
            "errors": [{"path": "kind", "kind": "unknownNovelValue", "novelValue": value}],
        }
        urllib.request.urlopen(urllib.request.Request(
            f"{self.url}/v1/digests", json.dumps(line).encode(),
            {"Content-Type": "application/x-ndjson", "Authorization": f"Bearer {UPLOADER}"}))

    def decisions(self):
        try:
            with open(os.path.join(self.folder.name, "digest-triage.ndjson")) as file:
                return file.read()
        except FileNotFoundError:
            return ""


VALUES = """[...document.querySelectorAll("tbody.failure")].map((row) =>
  JSON.parse(row.dataset.decision).value).sort()"""
LOOK = 'document.dispatchEvent(new Event("visibilitychange"))'


def wait(browser, expression, value, what):
    """Waits until an expression has a value: the page may be loading meanwhile."""
    found, deadline = None, time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            found = browser.evaluate(expression)
        except RuntimeError:
            continue
        if found == value:
            return
    check(False, f"{what}: {found}")


def sign_in(browser, token):
    password = base64.b64encode(f"anyone:{token}".encode()).decode()
    browser.call("Network.setExtraHTTPHeaders", headers={"Authorization": f"Basic {password}"})


def main(chromium, tool, directory):
    with Server(tool) as server, Browser(chromium) as browser:
        server.upload("villa")
        sign_in(browser, DECIDER)
        browser.open(server.url)
        wait(browser, VALUES, ["villa"], "the page has not what was uploaded")
        status = 'document.querySelector("header [role=status]").textContent.slice(0, 10)'
        browser.evaluate(LOOK)
        wait(browser, status, "Up to date", "the page does not say that it is up to date")

        server.upload("<b>yurt</b>")
        browser.evaluate(LOOK)
        wait(browser, VALUES, ["<b>yurt</b>", "villa"], "the page does not update itself")

        browser.open(f"{server.url}/?value=villa")
        wait(browser, VALUES, ["villa"], "a filter in the address is not used")

        browser.open(server.url)
        wait(browser, VALUES, ["<b>yurt</b>", "villa"], "the page is not whole")
        browser.evaluate('document.querySelector("details").open = true')
        server.upload("hut")
        browser.evaluate(LOOK)
        wait(browser, 'document.querySelector("header [role=status] button")?.textContent', "Show it",
             "news is not offered while a row is read")
        check(browser.evaluate('document.querySelector("details").open'), "a row that is read was closed")
        browser.device(1000, 900)
        browser.screenshot(f"{directory}/live.png")
        browser.evaluate('document.querySelector("header [role=status] button").click()')
        wait(browser, VALUES, ["<b>yurt</b>", "hut", "villa"], "news is not shown")

        browser.evaluate("""(() => {
          const row = [...document.querySelectorAll("tbody.failure")].find((row) =>
            JSON.parse(row.dataset.decision).value === "hut");
          row.querySelector("details").open = true;
          const form = row.querySelector("form");
          form.elements.reason.value = "a 'house' <i>";
          form.querySelector("button").click();
        })()""")
        wait(browser, VALUES, ["<b>yurt</b>", "villa"], "a decision is not taken")
        check('"by":"mara"' in server.decisions().replace('": "', '":"'), "a decision has not its author")
        check("a 'house' <i>" in server.decisions(), "a decision has not its reason")

        browser.device(390, 844, is_phone=True)
        browser.media("dark")
        browser.evaluate('document.querySelector("details").open = true')
        browser.screenshot(f"{directory}/live-phone.png")
        wide = "document.documentElement.scrollWidth > innerWidth"
        check(not browser.evaluate(wide), "the page is wider than a phone")

        sign_in(browser, READER)
        browser.open(server.url)
        wait(browser, VALUES, ["<b>yurt</b>", "villa"], "a reader may not read")
        check(browser.evaluate("document.forms.length") == 0, "a reader may decide")
        sign_in(browser, UPLOADER)
        browser.open(server.url)
        wait(browser, 'document.body.textContent.includes("token is missing")', True, "an uploader may read")


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.exit(bool(faults))
