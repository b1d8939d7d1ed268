"""Chromium without a window, driven by its DevTools protocol through two pipes."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


class Browser:
    """A running Chromium with one page; ends with the `with` block."""

    def __init__(self, executable):
        self.profile = tempfile.mkdtemp(prefix="report-browser-")
        arguments = [
            executable, "--headless=new", "--remote-debugging-pipe", "--disable-gpu",
            "--no-first-run", "--disable-extensions", "--disable-background-networking",
            "--hide-scrollbars", "--force-color-profile=srgb", f"--user-data-dir={self.profile}",
        ]
        # Its sandbox is not for root, and needs more shared memory than containers have.
        if os.geteuid() == 0:
            arguments += ["--no-sandbox", "--disable-dev-shm-usage"]
        child_reads, self.output = os.pipe()
        self.input, child_writes = os.pipe()
        self.process = subprocess.Popen(
            # The protocol is on descriptors 3 and 4; dup2 may not write over one that is still needed.
            ["sh", "-c", f'exec 8<&{child_reads} 9>&{child_writes}; exec 3<&8 4>&9; exec "$@"', "sh"]
            + arguments + ["about:blank"],
            pass_fds=(child_reads, child_writes), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(child_reads)
        os.close(child_writes)
        self.buffer = b""
        self.last = 0
        self.session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network", "Audits"]:
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.output)
        os.close(self.input)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        """Sends a command and returns its result; events that come meanwhile are kept."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.input, 1 << 16)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def open(self, url):
        """Opens a page and waits until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + 30
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{url} does not load")
            self.evaluate("0")

    def evaluate(self, expression):
        """What a JavaScript expression of the page gives, as JSON has it."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def device(self, width, height, is_phone=False):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=2 if is_phone else 1, mobile=is_phone)

    def media(self, scheme, media=""):
        """Light or dark, and screen or print."""
        self.call(
            "Emulation.setEmulatedMedia", media=media,
            features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key):
        """Presses and releases a key where the focus is."""
        text = {"Enter": "\r", " ": " "}.get(key)
        code = {" ": "Space"}.get(key, key)
        number = {"Enter": 13, " ": 32, "Tab": 9}[key]
        event = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        self.call(
            "Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def screenshot(self, path, whole=True):
        data = self.call(
            "Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self, path):
        data = base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"])
        with open(path, "wb") as file:
            file.write(data)
        return data
