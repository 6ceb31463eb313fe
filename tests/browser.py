# SPDX-License-Identifier: Apache-2.0
"""Drives a headless chromium over its protocol: tests open a page, use it, and see all that it logs and asks for."""
import base64
import contextlib
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse

FLAGS = ("--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--remote-debugging-port=0", "--remote-allow-origins=*", "--no-first-run", "--disable-background-networking", "--hide-scrollbars")

FOR_TESTS = ("G_DEBUG", "MALLOC_PERTURB_", "LD_LIBRARY_PATH")  # variables of the test of a build, with which chromium may end


def find():
    """The path of chromium, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Socket:
    """The client's end of a WebSocket (RFC 6455)."""

    def __init__(self, url, headers=(), limit=60.0):
        parts = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=limit)
        self.buffer = b""
        words = {"Host": parts.netloc, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                 "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), **dict(headers)}
        path = parts.path + ("?" + parts.query if parts.query else "")
        self.socket.sendall(f"GET {path} HTTP/1.1\r\n".encode() + "".join(f"{k}: {v}\r\n" for k, v in words.items()).encode() + b"\r\n")
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(head.split()[1])
        if self.status != 101:
            self.socket.close()
            raise ConnectionError(head.decode(errors="replace"))

    def _more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("the other end has closed the connection")
        self.buffer += data

    def _take(self, n):
        while len(self.buffer) < n:
            self._more()
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def send(self, data, opcode=None):
        """Sends a text (str) or bytes as one frame."""
        opcode = opcode if opcode is not None else 1 if isinstance(data, str) else 2
        data = data.encode() if isinstance(data, str) else data
        n, mask = len(data), os.urandom(4)
        size = bytes([0x80 | n]) if n < 126 else b"\xfe" + n.to_bytes(2, "big") if n < 1 << 16 else b"\xff" + n.to_bytes(8, "big")
        whole = int.from_bytes(data, "little") ^ int.from_bytes((mask * (n // 4 + 1))[:n], "little")
        self.socket.sendall(bytes([0x80 | opcode]) + size + mask + whole.to_bytes(n, "little"))

    def receive(self, limit=60.0):
        """The next message, a str or bytes; None: the other end has closed. Raises TimeoutError after the limit [s]."""
        self.socket.settimeout(limit)
        message, first = b"", None
        while True:
            one, two = self._take(2)
            n = two & 0x7f
            n = int.from_bytes(self._take(2 if n == 126 else 8), "big") if n > 125 else n
            data = self._take(n)
            if one & 15 == 8:
                return None
            if one & 15 == 9:
                self.send(data, 10)
            elif one & 15 != 10:
                first = one & 15 if first is None else first
                message += data
                if one & 0x80:
                    return message.decode() if first == 1 else message

    def close(self):
        self.socket.close()


class Page:
    """A page of the browser; `logged` has all that it wrote to the console, `asked` each URL that it asked for."""

    def __init__(self, url):
        self.socket, self.numbers, self.logged, self.asked, self.events = Socket(url), itertools.count(1), [], [], []
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")

    def _event(self, message):
        name, what = message["method"], message["params"]
        if name == "Network.requestWillBeSent":
            self.asked.append(what["request"]["url"])
        elif name == "Network.webSocketCreated":
            self.asked.append(what["url"])
        elif name == "Runtime.exceptionThrown":
            self.logged.append(what["exceptionDetails"].get("exception", {}).get("description") or what["exceptionDetails"]["text"])
        elif name == "Runtime.consoleAPICalled":
            self.logged.append(" ".join(str(one.get("value", one.get("description"))) for one in what["args"]))
        elif name == "Log.entryAdded":
            self.logged.append(what["entry"]["text"])
        self.events.append(name)

    def call(self, method, limit=60.0, **params):
        """The result of a method of the protocol."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.receive(limit))
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message:
                self._event(message)

    def open(self, url):
        """Opens a URL and waits for the page's load."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, expression, limit=60.0):
        """The value of an expression of JavaScript; a promise is awaited."""
        seen = self.call("Runtime.evaluate", limit, expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in seen:
            raise RuntimeError(seen["exceptionDetails"].get("exception", {}).get("description") or str(seen["exceptionDetails"]))
        return seen["result"].get("value")

    def wait(self, expression, limit=60.0):
        """Evaluates an expression until it is true or the time [s] is over; its value at last."""
        end = time.monotonic() + limit
        while True:
            try:
                seen = self.run(expression)
            except RuntimeError as error:  # the page is being replaced
                seen = None if time.monotonic() < end else str(error)
            if seen or time.monotonic() >= end:
                return seen
            time.sleep(0.02)

    def size(self, width, height=800, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def place(self, selector):
        """The middle of an element [pixels], scrolled into view."""
        return self.run("(e => { e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); "
                        f"return [r.x + r.width / 2, r.y + r.height / 2]; }})(document.querySelector({json.dumps(selector)}))")

    def mouse(self, kind, x, y, button="left", buttons=1, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=1, **more)

    def click(self, where):
        """Clicks an element (a selector) or a point."""
        x, y = self.place(where) if isinstance(where, str) else where
        self.mouse("mouseMoved", x, y, "none", 0)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y, buttons=0)

    def drag(self, start, end, steps=5, button="left"):
        """Drags from one point to another."""
        bits = {"left": 1, "right": 2, "middle": 4}[button]
        self.mouse("mousePressed", *start, button, bits)
        for k in range(1, steps + 1):
            self.mouse("mouseMoved", *(a + (b - a) * k / steps for a, b in zip(start, end)), button, bits)
        self.mouse("mouseReleased", *end, button, 0)

    def key(self, name, code=None, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=code or name, text=text if kind == "keyDown" else "",
                      windowsVirtualKeyCode={"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Tab": 9, "Enter": 13}.get(name, 0))

    def picture(self, path=None, whole=False):
        """The page as the bytes of a PNG, also written to a path; `whole`: also what is out of view."""
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole,
                                          **({"clip": {**self._whole(), "scale": 1}} if whole else {}))["data"])
        if path:
            with open(path, "wb") as file:
                file.write(data)
        return data

    def _whole(self):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {key: size[key] for key in ("x", "y", "width", "height")}

    def controls(self):
        """(role, name) of each control in the accessibility tree."""
        roles = {"button", "slider", "combobox", "checkbox", "textbox", "spinbutton", "link", "tab", "radio", "searchbox", "listbox", "DisclosureTriangle"}
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes
                if not node.get("ignored") and node.get("role", {}).get("value") in roles]


@contextlib.contextmanager
def browser(**variables):
    """Starts chromium; yields a function that opens a new page."""
    own = {name: value for name, value in os.environ.items() if name not in FOR_TESTS}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen([find(), *FLAGS, f"--user-data-dir={profile}", "about:blank"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env={**own, "HOME": profile, **variables})
        try:
            url = next((found[1] for line in process.stderr if (found := re.search(r"DevTools listening on (ws://\S+)", line))), None)
            if url is None:
                raise RuntimeError(f"chromium has ended with {process.wait()}")
            pages = []
            top = Socket(url)

            def page():
                top.send(json.dumps({"id": 1, "method": "Target.createTarget", "params": {"url": "about:blank"}}))
                while "result" not in (seen := json.loads(top.receive())):
                    pass
                pages.append(Page(re.sub(r"/devtools/.*", f"/devtools/page/{seen['result']['targetId']}", url)))
                return pages[-1]

            yield page
            for one in pages:
                one.socket.close()
            top.close()
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stderr.close()
