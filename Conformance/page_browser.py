"""Chromium as somebody who uses the page of a shared folder: drops, picks, clicks and types."""

import json
import pathlib
import socket
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
sys.path.insert(0, str(ROOT / "Conformance"))
import harness  # noqa: E402
from browser import Browser  # noqa: E402

KEYS = {
    "Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), "ArrowDown": (40, ""), "ArrowUp": (38, ""),
    "Delete": (46, ""), "F2": (113, ""), "F10": (121, ""), " ": (32, " "), "a": (65, "a"), "Home": (36, ""),
    "End": (35, ""), "Backspace": (8, ""), "/": (191, "/"),
}

# Notes from which offset each upload went on, and what the screen reader was told.
WATCH = """
  window.offsets = []; window.said = []; window.faults = [];
  const set = XMLHttpRequest.prototype.setRequestHeader;
  XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
    if (name === 'Upload-Offset') offsets.push(Number(value));
    return set.call(this, name, value);
  };
  addEventListener('error', e => faults.push(e.message));
  addEventListener('unhandledrejection', e => faults.push(String(e.reason)));
  addEventListener('securitypolicyviolation', e => faults.push(e.violatedDirective + ' ' + e.blockedURI));
  addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
    const text = document.getElementById('live').textContent;
    if (text) said.push(text);
  }).observe(document.getElementById('live'), { childList: true }));
"""


class PageBrowser(Browser):
    def __init__(self, program, profile):
        super().__init__(program, profile)
        self.ask("Network.enable")
        self.ask("DOM.enable")
        self.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.resize(1200, 900)

    def resize(self, width, height, is_phone=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=2 if is_phone else 1, mobile=is_phone)

    def picture(self, path):
        import base64
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def show(self, url):
        """Opens the page and waits for its list."""
        self.open(url)
        self.wait_for("document.querySelector('.row') || !document.getElementById('empty').hidden")

    def throttle(self, bytes_per_second=-1, is_offline=False):
        self.ask("Network.emulateNetworkConditions", offline=is_offline, latency=2,
                 downloadThroughput=-1, uploadThroughput=bytes_per_second)

    def names(self):
        return self.value("[...document.querySelectorAll('.row a')].map(a => a.textContent)")

    def place(self, selector):
        """The middle of an element, after it was brought into view."""
        found = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;"
            " e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        if not found:
            harness.fail(f"the page has no {selector}")
        return found

    def click(self, selector):
        x, y = self.place(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, name, modifiers=0):
        code, text = KEYS[name]
        base = {"key": name, "windowsVirtualKeyCode": code, "modifiers": modifiers,
                "code": {" ": "Space", "a": "KeyA"}.get(name, name)}
        down = "keyDown" if text and not modifiers else "rawKeyDown"
        self.ask("Input.dispatchKeyEvent", type=down, **base, **({"text": text} if down == "keyDown" else {}))
        self.ask("Input.dispatchKeyEvent", type="keyUp", **base)

    def type(self, text):
        self.ask("Input.insertText", text=text)

    def drop(self, paths, x=200, y=500):
        """Files and folders are dropped as from the desktop."""
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.ask("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def pick(self, paths, identifier="pick-files"):
        node = self.ask("Runtime.evaluate", expression=f"document.getElementById('{identifier}')")
        self.ask("DOM.setFileInputFiles", files=[str(path) for path in paths],
                 objectId=node["result"]["objectId"])

    def dismiss(self):
        """Escape, until no dialog is left."""
        for _ in range(20):
            self.key("Escape")
            for _ in range(20):
                if not self.value("!!document.querySelector('dialog')"):
                    return
                time.sleep(0.05)
        harness.fail("a dialog can't be dismissed")

    def reload(self):
        """Reloads, whatever the page has to say about leaving."""
        self.ask("Page.setInterceptFileChooserDialog", enabled=True)
        self.value("window.isOld = true")
        self.number += 1
        import os
        os.write(self.writer, json.dumps({"id": self.number, "method": "Page.reload", "params": {},
                                          "sessionId": self.session}).encode() + b"\0")
        time.sleep(0.3)
        self.number += 1
        os.write(self.writer, json.dumps({"id": self.number, "method": "Page.handleJavaScriptDialog",
                                          "params": {"accept": True}, "sessionId": self.session}).encode() + b"\0")
        time.sleep(0.5)
        self.wait_for("!window.isOld && document.readyState === 'complete'")
        self.wait_for("document.querySelector('.row') || !document.getElementById('empty').hidden")

    def wait_until_sent(self, seconds=120):
        """Waits until nothing is being uploaded any more, and returns the summary."""
        self.wait_for("(() => { const b = document.getElementById('transfers'); return !b.hidden && b.querySelector('h2')"
                      " && !b.querySelector('.sending, .starting, .finishing, .waiting, .paused'); })()", seconds)
        return self.value("document.querySelector('#transfers h2').textContent")

    def wait_for(self, script, seconds=20):
        deadline = time.monotonic() + seconds
        while not self.value(f"!!({script})"):
            if time.monotonic() > deadline:
                shown = self.value("document.body.innerText.replace(/\\s+/g, ' ')")
                harness.fail(f"the browser waits in vain for: {script}\nIt shows: {shown[:1500]}")
            time.sleep(0.05)

    def faults(self):
        return self.value("window.faults")


class Proxy:
    """Stands between the browser and the server, and can cut all connections."""

    def __init__(self, server_port):
        self.server_port = server_port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.pairs = []
        # Bytes a second that are let through to the server; `None`: as many as there are.
        self.pace = None
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.server_port), 5)
            except OSError:
                client.close()
                continue
            self.pairs.append((client, server))
            for source, target, is_paced in ((client, server, True), (server, client, False)):
                threading.Thread(target=self.copy, args=(source, target, is_paced), daemon=True).start()

    def copy(self, source, target, is_paced):
        try:
            while piece := source.recv(1 << 16):
                target.sendall(piece)
                if is_paced and self.pace:
                    time.sleep(len(piece) / self.pace)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                try:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    end.close()
                except OSError:
                    pass

    def close(self):
        self.listener.close()
        self.cut()
