#!/usr/bin/env python3
"""A browser looks at what `wharf serve` serves: headless Chromium over its debugging pipe.

Shown are: names that would do harm run no script; the list looks right in light, dark and narrow
(screenshots, with measurements of contrast and overflow); a song can be sought in, for which the
browser asks for ranges; a page that has not changed is answered 304. Needs Chromium and nothing of
the network. Ends with 1 if something fails.
"""

import argparse
import base64
import json
import os
import pathlib
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import wave

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

SONG_SECONDS = 240

HOSTILE_NAMES = [
    "<img src=x onerror=document.title='harmed'>.txt",
    "\" onmouseover=\"document.title='harmed'",
    "' onfocus='document.title=1' autofocus='",
    "<script>document.title='harmed'<", "javascript:document.title='harmed'",
    "&lt;b&gt; &amp; 100% #1?.txt", "a:b", "..hidden-looking", "new\nline", "photo\u202egpj.exe",
    "\u00fcml\u00e4ut \u65e5\u672c\u8a9e \U0001f600.txt", " leading and trailing ", "x" * 200 + ".bin",
]


class Browser:
    """Chromium, spoken to in JSON with a NUL behind each message."""

    def __init__(self, program, profile):
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()
        # It reads from descriptor 3 and writes to 4, whatever the pipes' own numbers are.
        sources = [os.dup2(to_browser, 103), os.dup2(from_browser, 104)]
        for descriptor in (to_browser, from_browser):
            os.close(descriptor)

        def place():
            for target, source in zip((3, 4), (103, 104)):
                os.dup2(source, target)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--autoplay-policy=no-user-gesture-required",
             "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            close_fds=False, preexec_fn=place, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for descriptor in sources:
            os.close(descriptor)
        self.number = 0
        self.buffer = b""
        self.session = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Runtime.enable")

    def ask(self, method, seconds=30, **parameters):
        """Sends a command and waits for its answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + seconds
        while True:
            answer = self.receive(deadline, method)
            if answer.get("id") == self.number:
                if "error" in answer:
                    harness.fail(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self, deadline, what):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.reader], [], [], max(0, deadline - time.monotonic()))
            piece = os.read(self.reader, 1 << 20) if ready else b""
            if not piece:
                harness.fail(f"the browser does not answer: {what}")
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def open(self, url):
        self.ask("Page.navigate", url=url)
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")

    def value(self, script):
        result = self.ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            harness.fail(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait_for(self, script, seconds=20):
        deadline = time.monotonic() + seconds
        while not self.value(script):
            if time.monotonic() > deadline:
                harness.fail(f"the browser waits in vain for: {script}")
            time.sleep(0.05)

    def look(self, path, width, scheme):
        """Takes a picture of the page as it is at that width and in that colour scheme."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900,
                 deviceScaleFactor=1, mobile=width < 500)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
        picture = self.ask("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(picture))

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.writer)
        os.close(self.reader)


def fill(folder):
    for name in ("Movies", "Photos 2 & 3", "photos 10", "empty"):
        (folder / name).mkdir()
    for name in HOSTILE_NAMES:
        (folder / name).write_bytes(b"text\n")
    for name, size in (("IMG_9.jpg", 3_400_000), ("img_10.jpg", 12_345), ("notes.md", 800)):
        with open(folder / name, "wb") as file:
            file.truncate(size)
    with wave.open(str(folder / "song.wav"), "wb") as song:
        song.setparams((2, 2, 44_100, 0, "NONE", "not compressed"))
        second = b"".join(struct.pack("<hh", i % 441 * 40, i % 441 * 40) for i in range(44_100))
        for _ in range(SONG_SECONDS):
            song.writeframesraw(second)
    (folder / "player.html").write_text(
        "<!doctype html><meta charset=utf-8><title>player</title>"
        "<audio id=a preload=metadata src=song.wav></audio>")


CONTRAST = """(() => {
  const light = c => { const [r, g, b] = c.match(/[0-9.]+/g).map(x => x / 255)
    .map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const back = light(getComputedStyle(document.body).backgroundColor);
  let worst = 21;
  for (const e of document.querySelectorAll('h1, h1 a, td, td a, th, p')) {
    const l = light(getComputedStyle(e).color);
    worst = Math.min(worst, (Math.max(l, back) + 0.05) / (Math.min(l, back) + 0.05));
  }
  return worst;
})()"""


def status(url):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


class Checks:
    def __init__(self):
        self.failed = 0

    def __call__(self, name, is_met, detail=""):
        print(f"| {name} | {'yes' if is_met else 'NO'} | {detail} |", flush=True)
        self.failed += not is_met


def check_list(browser, base, pictures, check):
    browser.open(base)
    time.sleep(0.3)
    browser.value("document.querySelectorAll('a').forEach(a => { a.focus(); a.blur(); })")
    browser.value("scrollTo(0, 0)")
    check("no name ran a script", browser.value("document.title") != "harmed"
          and browser.value("document.scripts.length + document.images.length") == 0)
    names = browser.value("[...document.querySelectorAll('tbody a')].map(a => a.textContent)")
    check("folders first, numbers by value",
          names[:4] == ["empty", "Movies", "Photos 2 & 3", "photos 10"]
          and names.index("IMG_9.jpg") < names.index("img_10.jpg"), f"{len(names)} names")
    links = browser.value("[...document.querySelectorAll('tbody a')].map(a => a.href)")
    astray = [link for link in links if not link.startswith(base) or status(link) != 200]
    check("every link leads to what it names", links and not astray, str(astray or ""))
    for scheme in ("light", "dark"):
        for width in (1200, 390):
            browser.look(pictures / f"list-{scheme}-{width}.png", width, scheme)
            contrast = browser.value(CONTRAST)
            check(f"text can be read: {scheme}, {width} px", contrast >= 4.5,
                  f"worst contrast {contrast:.1f}")
            over = browser.value("document.documentElement.scrollWidth - innerWidth")
            check(f"nothing sticks out: {scheme}, {width} px", over <= 0, f"{over} px")
    dark = browser.value("getComputedStyle(document.body).backgroundColor")
    check("dark is dark", sum(map(int, re.findall(r"\d+", dark)[:3])) < 150, dark)


def check_song(browser, base, check):
    browser.open(base + "player.html")
    browser.wait_for("a.readyState >= 1")
    check("the song's length is known", abs(browser.value("a.duration") - SONG_SECONDS) < 1)
    target = SONG_SECONDS - 20
    browser.value(f"void (a.currentTime = {target})")
    browser.wait_for("!a.seeking && a.readyState >= 2")
    check("a place near the end can be played", browser.value(
        "new Promise(r => { a.ontimeupdate = () => a.currentTime > %d + 0.2 && r(true);"
        " setTimeout(() => r(false), 10000); a.play(); })" % target))


def check_log(server, check):
    server.output.seek(0)
    log = server.output.read().decode(errors="replace")
    lines = [line for line in log.splitlines() if "song.wav" in line]
    parts = [line for line in lines if re.search(r"\b206\b", line)]
    check("the browser asked for ranges", len(parts) >= 2, f"{len(parts)} answers of 206")
    return log


def check_reload(browser, base, server, check):
    browser.open(base + "player.html")
    browser.ask("Page.reload")
    browser.wait_for("document.readyState === 'complete'")
    time.sleep(0.3)
    server.output.seek(0)
    log = server.output.read().decode(errors="replace")
    unchanged = [line for line in log.splitlines() if re.search(r"player\.html.*\b304\b", line)]
    check("what has not changed is not sent again", bool(unchanged), f"{len(unchanged)} times 304")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=pathlib.Path, default=ROOT / ".build-verify" / "browser",
                        help="the folder for screenshots")
    parser.add_argument("--program", default=str(harness.PROGRAMS / "wharf"))
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        harness.fail("there is no chromium in PATH")
    options.pictures.mkdir(parents=True, exist_ok=True)
    check = Checks()
    print("| in the browser | met | |\n|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="browser-") as scratch:
        folder = pathlib.Path(scratch) / "Shared things"
        folder.mkdir()
        fill(folder)
        command = f"{options.program} serve --no-ui --access-log --port {{port}} '{folder}'"
        with harness.Server(command) as server:
            base = f"http://127.0.0.1:{server.port}/"
            browser = Browser(chromium, pathlib.Path(scratch) / "profile")
            try:
                check_list(browser, base, options.pictures, check)
                check_song(browser, base, check)
                check_log(server, check)
                check_reload(browser, base, server, check)
            finally:
                browser.close()
    print(f"\nScreenshots: {options.pictures}")
    if check.failed:
        harness.fail(f"{check.failed} failed")


if __name__ == "__main__":
    sys.exit(main())
