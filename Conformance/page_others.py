#!/usr/bin/env python3
"""Firefox and WebKitGTK use the page of `wharf serve --writable`.

Both pick files, take a drop that a script makes, and send 24 MiB over a connection that is cut; bytes have
to be equal. Needs firefox-esr and marionette_driver, or webkit2gtk-driver, Xvfb and selenium; what is not
there is said to be skipped. Ends with 1 if something fails.
"""

import argparse
import base64
import pathlib
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from page import Checks, Share, digest, write  # noqa: E402
from page_browser import ROOT, Proxy, harness  # noqa: E402

MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"

DROP = """
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(100000).fill(7)], 'dropped.bin'));
  for (const type of ['dragenter', 'dragover', 'drop']) {
    const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer });
    document.getElementById('card').dispatchEvent(event);
  }
"""


class Firefox:
    name = "Firefox"

    def __init__(self):
        from marionette_driver.marionette import Marionette
        self.driver = Marionette(bin=shutil.which("firefox-esr"), headless=True)
        self.driver.start_session()
        self.driver.set_window_rect(width=1200, height=900)

    def open(self, url):
        self.driver.navigate(url)

    def run(self, script):
        return self.driver.execute_script(script, sandbox=None)

    def find(self, identifier):
        return self.driver.find_element("id", identifier)

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.driver.screenshot(full=False)))

    def close(self):
        self.driver.quit()


class WebKit:
    name = "WebKitGTK"

    def __init__(self):
        # Selenium needs a package `websocket`, and there is a script of that name beside this one.
        own = {ROOT / "Conformance", ROOT / "Benchmarks"}
        sys.path[:] = [path for path in sys.path if pathlib.Path(path or ".").resolve() not in own]
        from selenium import webdriver
        from selenium.webdriver.webkitgtk.options import Options
        options = Options()
        options.binary_location = MINI_BROWSER
        options.add_argument("--automation")
        self.driver = webdriver.WebKitGTK(options=options)
        self.driver.set_window_size(1200, 900)

    def open(self, url):
        self.driver.get(url)

    def run(self, script):
        return self.driver.execute_script(script)

    def find(self, identifier):
        return self.driver.find_element("id", identifier)

    def picture(self, path):
        self.driver.save_screenshot(str(path))

    def close(self):
        self.driver.quit()


def wait_for(browser, script, seconds=40):
    deadline = time.monotonic() + seconds
    while not browser.run(f"return !!({script})"):
        if time.monotonic() > deadline:
            shown = browser.run("return document.body.innerText.replace(/\\s+/g, ' ')")
            harness.fail(f"{browser.name} waits in vain for: {script}\nIt shows: {shown[:1000]}")
        time.sleep(0.1)


def wait_until_sent(browser, name):
    wait_for(browser, "!document.querySelector('#transfers .sending, #transfers .starting, #transfers .finishing,"
             f" #transfers .waiting') && [...document.querySelectorAll('.row a')].some(a => a.textContent === '{name}')")


def pick(browser, path):
    browser.run("document.getElementById('pick-files').hidden = false")
    browser.find("pick-files").send_keys(str(path))
    browser.run("document.getElementById('pick-files').hidden = true")


def check_browser(browser, share, proxy, pictures, check):
    browser.open(f"http://127.0.0.1:{proxy.port}/")
    wait_for(browser, "document.querySelector('.row') || !document.getElementById('empty').hidden")
    write(share.local / f"{browser.name}.bin", 2 << 20)
    pick(browser, share.local / f"{browser.name}.bin")
    wait_until_sent(browser, f"{browser.name}.bin")
    check(f"{browser.name}: a file is picked", digest(share.local / f"{browser.name}.bin") == digest(share.folder / f"{browser.name}.bin"))
    browser.run(DROP)
    wait_until_sent(browser, "dropped.bin")
    check(f"{browser.name}: one is dropped", (share.folder / "dropped.bin").read_bytes() == b"\7" * 100_000)
    (share.folder / "dropped.bin").unlink()
    large = share.local / f"{browser.name} large.bin"
    write(large, 24 << 20)
    proxy.pace = 6 << 20
    pick(browser, large)
    for _ in range(2):
        wait_for(browser, "document.querySelector('#transfers .sending')")
        time.sleep(1)
        proxy.cut()
    proxy.pace = None
    wait_until_sent(browser, large.name)
    check(f"{browser.name}: 24 MiB over a connection that is cut", digest(large) == digest(share.folder / large.name))
    browser.picture(pictures / f"page-{browser.name.lower()}.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=pathlib.Path, default=ROOT / ".build-verify" / "browser")
    parser.add_argument("--program", default=str(harness.PROGRAMS / "wharf"))
    options = parser.parse_args()
    options.pictures.mkdir(parents=True, exist_ok=True)
    check = Checks()
    print("| in other browsers | met | |\n|---|---|---|")
    for kind, is_there in ((Firefox, shutil.which("firefox-esr")), (WebKit, pathlib.Path(MINI_BROWSER).exists())):
        if not is_there:
            print(f"skipped: there is no {kind.name}")
            continue
        with tempfile.TemporaryDirectory(prefix="page-") as name:
            with Share(pathlib.Path(name), options.program) as share:
                browser = kind()
                proxy = Proxy(share.server.port)
                try:
                    check_browser(browser, share, proxy, options.pictures, check)
                finally:
                    proxy.close()
                    browser.close()
    if check.failed:
        harness.fail(f"{check.failed} failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
