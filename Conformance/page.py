#!/usr/bin/env python3
"""Chromium uses the page of `wharf serve --writable` as people do.

The short pass drops a file and a folder, renames and deletes; the long one adds 64 MiB over a slow
line that breaks, a server that is started again, a reload midway, two hundred hostile names, archives,
ten thousand entries, the keyboard alone, axe on every view, and screenshots of them. Each check is a
line of a table. Ends with 1 if something fails.
"""

import argparse
import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from page_browser import ROOT, PageBrowser, Proxy, harness  # noqa: E402

LANGUAGES = ["en", "de", "fr", "es", "ja", "zh"]
CONTROL = 2


class Checks:
    def __init__(self):
        self.failed = 0

    def __call__(self, name, is_met, detail=""):
        print(f"| {name} | {'yes' if is_met else 'NO'} | {detail} |", flush=True)
        self.failed += not is_met


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tree(folder):
    """What lies below a folder: digests by path."""
    return {str(path.relative_to(folder)): digest(path) for path in sorted(folder.rglob("*")) if path.is_file()}


def write(path, count):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        while count > 0:
            file.write(os.urandom(min(count, 1 << 20)))
            count -= 1 << 20


class Share:
    """A served folder, beside one with what is uploaded."""

    def __init__(self, scratch, program, *options):
        self.folder = scratch / "Shared things"
        self.local = scratch / "local"
        self.state = scratch / "state"
        for folder in (self.folder, self.local, self.state):
            folder.mkdir(parents=True, exist_ok=True)
        self.command = (f"{program} serve --writable --access-log --state '{self.state}' --port {{port}} "
                        f"{' '.join(options)} '{self.folder}'")
        self.server = harness.Server(self.command)

    def __enter__(self):
        self.server.__enter__()
        return self

    def __exit__(self, *_):
        self.server.__exit__()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.port}/"

    def restart(self):
        """Ends it at once, as a machine would that loses power, and starts it on the same port."""
        port = self.server.port
        self.server.process.kill()
        self.server.process.wait()
        self.server = harness.Server(self.command)
        self.server.port = port
        self.server.command = [part.replace(str(harness.free_port()), str(port)) for part in self.server.command]
        self.server.command[self.server.command.index("--port") + 1] = str(port)
        self.server.__enter__()


def check_basics(browser, share, check):
    browser.show(share.url)
    write(share.local / "a photo.jpg", 300_000)
    write(share.local / "Trip/one.txt", 1000)
    write(share.local / "Trip/day 2/two.bin", 200_000)
    (share.local / "Trip/nothing").mkdir()
    browser.drop([share.local / "a photo.jpg", share.local / "Trip"])
    summary = browser.wait_until_sent()
    check("a file and a folder are dropped", tree(share.local) == tree(share.folder), summary)
    check("an empty folder comes along", (share.folder / "Trip/nothing").is_dir())
    browser.wait_for("document.querySelectorAll('.row').length === 2")
    browser.pick([share.local / "a photo.jpg"])
    browser.wait_for("document.querySelector('dialog')")
    browser.click("dialog button.primary")
    browser.wait_until_sent()
    check("of two with one name both are kept", (share.folder / "a photo (1).jpg").exists())
    browser.wait_for("document.querySelectorAll('.row').length === 3")
    browser.value("document.querySelector('.row:nth-child(2)').focus()")
    browser.key("F2")
    browser.wait_for("document.querySelector('.row input[type=text]')")
    browser.type("renamed")
    browser.key("Enter")
    browser.wait_for("[...document.querySelectorAll('.row a')].some(a => a.textContent === 'renamed.jpg')")
    check("one is renamed in place", (share.folder / "renamed.jpg").exists())
    browser.value("[...document.querySelectorAll('.row')].find(r => r.textContent.includes('renamed')).focus()")
    browser.key("Delete")
    browser.wait_for("document.querySelector('dialog')")
    check("deleting asks first", (share.folder / "renamed.jpg").exists())
    browser.click("dialog button.primary")
    browser.wait_for("document.querySelectorAll('.row').length === 2")
    check("and deletes", not (share.folder / "renamed.jpg").exists())
    (share.folder / "from elsewhere.txt").write_text("new")
    browser.wait_for("document.querySelectorAll('.row').length === 3", 6)
    check("what others add is seen without a reload", True)
    check("nothing was thrown, nothing broke the policy", browser.faults() == [], str(browser.faults() or ""))


def check_folders(browser, share, check):
    """More than the hundred entries that a browser hands out at a time."""
    for index in range(350):
        write(share.local / f"many/{index}.txt", 10 + index)
    browser.show(share.url)
    browser.drop([share.local / "many"])
    summary = browser.wait_until_sent()
    check("a folder of 350 files comes whole", tree(share.local / "many") == tree(share.folder / "many"), summary)
    browser.click("#transfers header button:last-child")
    browser.pick([share.local / "many"], "pick-folder")
    browser.wait_for("document.querySelector('dialog .check input')")
    browser.value("document.querySelector('dialog .check input').click()")
    browser.click("dialog .buttons button:first-child")
    browser.wait_until_sent()
    check("a folder is picked, and all its names are skipped at once", len(tree(share.folder / "many")) == 350)


def check_interruptions(browser, share, check, program):
    write(share.local / "large.bin", 64 << 20)
    proxy = Proxy(share.server.port)
    try:
        browser.show(f"http://127.0.0.1:{proxy.port}/")
        browser.throttle(8 << 20)
        browser.drop([share.local / "large.bin"])
        for _ in range(3):
            browser.wait_for("document.querySelector('#transfers .sending')")
            time.sleep(1.2)
            proxy.cut()
        browser.wait_for("offsets.some(o => o > 0)", 40)
        browser.wait_for("document.querySelector('#transfers .sending')", 40)
        share.restart()
        browser.wait_for("document.querySelector('#transfers .sending') && offsets.length >= 3", 60)
        before = browser.value("Math.max(...offsets)")
        time.sleep(1)
        browser.reload()
        browser.throttle(16 << 20)
        banner = browser.value("document.querySelector('.banner')?.textContent ?? ''")
        check("after a reload the page remembers", "large.bin" in banner, banner[:60])
        browser.pick([share.local / "large.bin"])
        summary = browser.wait_until_sent()
        offsets = browser.value("offsets")
        check("64 MiB over a slow line, cut three times, the server killed, the page reloaded: bytes equal",
              digest(share.local / "large.bin") == digest(share.folder / "large.bin"), summary)
        check("it went on where it had stopped", offsets and offsets[0] >= before > 0,
              f"{before} bytes before the reload, {offsets[0] if offsets else None} after")
        check("nothing of it is left behind", not [n for n in os.listdir(share.folder) if n.startswith(".wharf")])
    finally:
        proxy.close()
        browser.throttle()


def check_pause(browser, share, check):
    write(share.local / "paused.bin", 12 << 20)
    browser.show(share.url)
    browser.throttle(3 << 20)
    browser.drop([share.local / "paused.bin"])
    browser.wait_for("document.querySelector('#transfers .sending')")
    time.sleep(1)
    browser.click("#transfers li .buttons button")
    browser.wait_for("document.querySelector('#transfers li.paused')")
    time.sleep(0.5)
    first = browser.value("document.querySelector('#transfers li p').textContent")
    time.sleep(1)
    check("a pause is one", first == browser.value("document.querySelector('#transfers li p').textContent"), first)
    browser.click("#transfers li .buttons button")
    browser.wait_until_sent()
    check("and goes on", digest(share.local / "paused.bin") == digest(share.folder / "paused.bin"),
          f"from {browser.value('offsets')}")
    said = browser.value("said")
    quarters = [text for text in said if "percent" in text]
    check("a screen reader hears each quarter once", quarters == [f"{n} percent uploaded" for n in (25, 50, 75)],
          " / ".join(said))
    write(share.local / "cancelled.bin", 12 << 20)
    browser.drop([share.local / "cancelled.bin"])
    browser.wait_for("document.querySelector('#transfers .sending')")
    time.sleep(0.5)
    browser.click("#transfers li .buttons button:last-child")
    browser.wait_until_sent()
    time.sleep(0.5)
    check("a cancelled one leaves nothing", not (share.folder / "cancelled.bin").exists()
          and not [n for n in os.listdir(share.folder) if n.startswith(".wharf")])
    browser.throttle()


def hostile_names():
    names = [
        "<img src=x onerror=alert(1)>.txt", "\"><script>document.title='harmed'<", "' onclick='x", "&lt;b&gt;.html",
        "javascript:alert(1)", "%2e%2e%2fx", "..%2f..%2fetc", "%00.txt", "a%0d%0aSet-Cookie: x", "..hidden", "...",
        "~", "-rf", "--help", "$(id)", "`id`", ";id", "|id", "a&b=c", "a?b", "a#b", "a+b", "a b", " lead", "trail ",
        "dot.", "a:b", "a*b", "a\"b", "a'b", "{name}", "{{x}}", "%name%", "__proto__", "constructor", "toString",
        "hasOwnProperty", "null", "undefined", "NaN", "true", "0", "-1", "1e999", "list", "download", "upload", "move",
        "delete", "create", "index.html", ".wharfish", "u\u0308nfd.txt", "\u00fcnfc.txt", "\u65e5\u672c\u8a9e", "\U0001f600.png",
        "\u0627\u0644\u0639\u0631\u0628\u064a\u0629.txt", "\u05e2\u05d1\u05e8\u05d9\u05ea.txt", "a\u200bb", "a\u00a0b", "\ufeffbom", "\u202egnp.exe",
        "a\u2028b", "new\nline", "tab\tname", "bell\x07", "esc\x1b[31m", "x" * 251 + ".txt", "\u00e9" * 125 + ".txt",
        "CON", "nul.txt", "COM1", "Aux.c", "desktop.ini", "Thumbs.db", "a" * 255,
    ]
    while len(names) < 200:
        index = len(names)
        names.append(f"<svg onload=alert({index})>{chr(0x4e00 + index)}&{index}'\".txt")
    return names


def check_hostile_names(browser, share, check):
    """Half of them uploaded, half made on the disk, where any name may come from."""
    names = hostile_names()
    for name in names:
        (share.folder / "hostile").mkdir(exist_ok=True)
        if not name.startswith("."):
            (share.folder / "hostile" / name).write_text("content\n")
    visible = {name for name in os.listdir(share.folder / "hostile") if not name.startswith(".")}
    url = share.url + "hostile/"
    browser.resize(1200, 11_000)
    browser.show(url)
    browser.wait_for(f"document.querySelectorAll('.row').length === {len(visible)}")
    hidden = {code: 0xfffd for code in [*range(0x20), *range(0x7f, 0xa0), *range(0x202a, 0x202f), *range(0x2066, 0x206a)]}
    shown = set(browser.names())
    expected = {name.translate(hidden) for name in visible}
    check("200 hostile names are shown as they are", shown == expected, f"{len(visible)} names, {len(shown - expected)} differ")
    harmed = browser.value("document.title.includes('harmed') || document.querySelectorAll('.rows img, .rows script, .rows svg[onload]').length")
    check("none of them is markup", not harmed)
    links = browser.value("[...document.querySelectorAll('.row a')].map(a => a.href)")
    astray = [link for link in links if not link.startswith(url) or not reads(link)]
    check("every link leads to its file", not astray, str(astray[:2] or ""))
    uploaded = [name for name in names if "/" not in name and "\0" not in name][:200]
    source = share.local / "hostile"
    source.mkdir(exist_ok=True)
    for name in uploaded:
        (source / name).write_text("uploaded\n")
    (share.folder / "taken").mkdir(exist_ok=True)
    browser.show(share.url + "taken/")
    outside = lying_outside(share)
    browser.drop([source / name for name in uploaded])
    browser.wait_until_sent(180)
    taken = set(os.listdir(share.folder / "taken"))
    failed = browser.value("[...document.querySelectorAll('#transfers .failed b')].map(b => b.textContent)")
    after = lying_outside(share)
    check("uploaded, they stay in the folder, or are refused with a reason", after <= outside
          and len(taken) + len(failed) >= len(uploaded) - 1,
          f"{len(taken)} taken, {len(failed)} refused, {len(after - outside)} elsewhere")
    browser.show(url)
    for index in range(0, 40):
        browser.value(f"[...document.querySelectorAll('.row')][{index}]?.focus()")
        browser.key("F2")
        browser.wait_for("document.querySelector('.row input[type=text]')")
        browser.key("Enter")
        time.sleep(0.02)
    left = {name for name in os.listdir(share.folder / "hostile") if not name.startswith(".")}
    check("a name that was looked at in a rename is the same afterwards", left == visible, str(left ^ visible or ""))
    for index in range(0, len(visible), 25):
        browser.value(f"[...document.querySelectorAll('.row a')][{index}].click()")
        browser.wait_for("document.querySelector('dialog.preview .view').childNodes.length > 0")
        browser.dismiss()
    check("they are previewed", browser.faults() == [], str(browser.faults() or ""))
    browser.resize(1200, 900)
    check_zip(share, visible, check)


def lying_outside(share):
    """What lies anywhere else than in the folder that is uploaded to, but for the browser's own files."""
    return {path for path in share.folder.parent.rglob("*")
            if not {"taken", "profile", "state"} & set(path.parts)}


def reads(link):
    with urllib.request.urlopen(link, timeout=10) as answer:
        return answer.read() == b"content\n"


def check_zip(share, names, check):
    with urllib.request.urlopen(share.url + ".wharf/zip?path=/hostile/", timeout=60) as answer:
        archive = answer.read()
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        found = {name.removeprefix("hostile/") for name in file.namelist()} - {""}
        is_whole = file.testzip() is None
    check("Python reads the archive of them", is_whole and found == names,
          f"{len(found)} names {sorted(found ^ names)[:6] or ''}")
    if not shutil.which("unzip"):
        return
    path = share.local / "hostile.zip"
    path.write_bytes(archive)
    tested = subprocess.run(["unzip", "-tqq", path], capture_output=True)
    check("and so does unzip", tested.returncode == 0, tested.stdout.decode(errors="replace")[:80])


def check_many(browser, share, check):
    folder = share.folder / "ten thousand"
    folder.mkdir(exist_ok=True)
    for index in range(10_000):
        (folder / f"file {index}.txt").touch()
    browser.show(share.url)
    paint = []
    for _ in range(3):
        browser.show(share.url)
        browser.show(share.url + "ten%20thousand/")
        paint.append(browser.value("""new Promise(resolve => {
          const entry = performance.getEntriesByType('resource').filter(e => e.initiatorType === 'fetch' && e.name.includes('ten'))[0];
          const row = performance.getEntriesByName('rows')[0];
          resolve(row.startTime - entry.responseEnd); })"""))
    check("10,000 entries are drawn within 300 ms of the list's arrival", max(paint) < 300,
          ", ".join(f"{value:.0f} ms" for value in paint))
    count = browser.value("document.querySelectorAll('.row').length")
    check("with a few rows", count < 100, f"{count} rows")
    browser.value("document.querySelector('.row').focus()")
    browser.key("End")
    browser.wait_for("document.activeElement.textContent.includes('file 9999.txt')")
    started = time.monotonic()
    browser.value("document.getElementById('search').focus()")
    browser.type("9876")
    browser.wait_for("document.querySelectorAll('.row').length === 1")
    check("the last is reached, and one is found", True, f"{time.monotonic() - started:.2f} s")


def check_keyboard(browser, share, check):
    """No mouse at all."""
    for name in ("one.txt", "two.txt"):
        (share.folder / "keys" / name).parent.mkdir(exist_ok=True)
        (share.folder / "keys" / name).write_text(name)
    browser.show(share.url + "keys/")
    reached = []
    for _ in range(14):
        browser.key("Tab")
        reached.append(browser.value("document.activeElement.id || document.activeElement.className || document.activeElement.tagName"))
    check("Tab reaches search, actions and the list", {"search", "new-folder", "upload", "row"} <= set(reached), " ".join(reached))
    browser.value("document.querySelector('.row').focus()")
    browser.key(" ")
    browser.key("ArrowDown")
    browser.key(" ")
    check("Space selects", browser.value("document.getElementById('selected').textContent") == "2 selected")
    browser.key("Escape")
    browser.key("F10", 8)
    browser.wait_for("document.querySelector('.menu')")
    check("Shift F10 opens the menu", browser.value("document.activeElement.getAttribute('role')") == "menuitem")
    for _ in range(3):
        browser.key("ArrowDown")
    browser.key("Enter")
    browser.wait_for("document.querySelector('dialog .places')")
    browser.wait_for("document.activeElement.closest('dialog .places')")
    browser.key("Enter")
    time.sleep(0.3)
    browser.wait_for("!document.querySelector('dialog .buttons .primary').disabled")
    browser.value("document.querySelector('dialog .buttons .primary').focus()")
    browser.key("Enter")
    browser.wait_for("document.querySelectorAll('.row').length === 1", 10)
    check("a file is moved by keys", (share.folder / "two.txt").exists())
    browser.key("Home")
    browser.value("document.querySelector('.row').focus()")
    browser.key("Enter")
    browser.wait_for("document.querySelector('dialog.preview pre')")
    browser.key("Escape")
    browser.wait_for("!document.querySelector('dialog')")
    check("Enter previews, Escape comes back to the row", browser.value("document.activeElement.classList.contains('row')"))
    browser.key("Backspace")
    browser.wait_for("location.pathname === '/'")
    check("Backspace goes up", True)


def views(browser, share):
    """Each view of the page, ready to be looked at."""
    def selected():
        browser.show(share.url)
        browser.value("document.querySelectorAll('.row .pick')[0].click(), document.querySelectorAll('.row .pick')[2].click()")
        browser.wait_for("!document.getElementById('selection').hidden")

    def opened(script, selector):
        def show():
            browser.show(share.url)
            browser.value(script)
            browser.wait_for(f"document.querySelector('{selector}')")
            time.sleep(0.4)
        return show

    def uploading():
        browser.show(share.url)
        browser.throttle(1 << 20)
        browser.drop([share.local / "large.bin", share.local / "a photo.jpg"])
        browser.wait_for("document.querySelector('dialog') || document.querySelector('#transfers .sending')")
        if browser.value("!!document.querySelector('dialog')"):
            browser.value("document.querySelector('dialog .check input').click()")
            browser.click("dialog button.primary")
        browser.wait_for("document.querySelector('#transfers .sending')")
        time.sleep(2.5)

    def failed():
        browser.show(share.url)
        browser.throttle(is_offline=True)
        browser.value("document.querySelector('.row.folder a').click()")
        browser.wait_for("document.querySelector('.banner')")
        browser.throttle()

    row = "document.querySelectorAll('.row')[1]"
    return {
        "list": lambda: browser.show(share.url), "selected": selected,
        "menu": opened(f"{row}.querySelector('.more button').click()", ".menu"),
        "new-folder": opened("document.getElementById('new-folder').click()", "dialog input"),
        "rename": opened(f"{row}.focus(); {row}.dispatchEvent(new KeyboardEvent('keydown', {{key: 'F2', bubbles: true}}))", ".row input[type=text]"),
        "delete": opened(f"{row}.focus(); {row}.dispatchEvent(new KeyboardEvent('keydown', {{key: 'Delete', bubbles: true}}))", "dialog"),
        "move": opened(f"{row}.querySelector('.more button').click(); document.querySelectorAll('.menu button')[3].click()", "dialog .places"),
        "preview": opened("[...document.querySelectorAll('.row a')].find(a => a.textContent.endsWith('.txt')).click()", "dialog.preview"),
        "code": opened("document.getElementById('qr-open').click()", "dialog .qr"),
        "empty": lambda: browser.show(share.url + "Trip/nothing/"),
        "failed": failed, "uploading": uploading,
    }


def check_views(browser, share, pictures, check, axe):
    for width, height, is_phone in ((1200, 800, False), (390, 844, True)):
        for scheme in ("light", "dark"):
            browser.resize(width, height, is_phone)
            browser.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            found = []
            for name, show in views(browser, share).items():
                show()
                kind = "phone" if is_phone else "desktop"
                browser.picture(pictures / f"page-{kind}-{scheme}-{name}.png")
                over = browser.value("document.documentElement.scrollWidth - innerWidth")
                if over > 0:
                    found.append(f"{name} sticks out by {over} px")
                if axe:
                    browser.value(axe + "; void 0")
                    found += [f"{name}: {text}" for text in browser.value(
                        "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ' ' + v.nodes.slice(0, 2).map(n => n.target.join(' ')).join(', ')))")]
                browser.throttle()
                if name == "uploading":
                    browser.value("document.querySelector('#transfers header button:last-child').click()")
                    browser.wait_for("document.querySelector('dialog')")
                    browser.value("document.querySelector('dialog button.danger').click()")
                    browser.wait_for("document.getElementById('transfers').hidden")
            what = "axe finds nothing" if axe else "nothing sticks out"
            check(f"{what}: {'phone' if is_phone else 'desktop'}, {scheme}", not found, "; ".join(found)[:600])
    browser.resize(1200, 800)
    browser.ask("Emulation.setEmulatedMedia", features=[])
    for language in LANGUAGES:
        browser.show(share.url + f"?lang={language}")
        browser.picture(pictures / f"page-language-{language}.png")
        missing = browser.value("[...document.querySelectorAll('[data-text], [data-label]')].map(e => e.dataset.text || e.dataset.label)"
                                ".filter(k => !k)")
        check(f"the page speaks {language}", browser.value("document.documentElement.lang") == language and not missing)
    browser.value("document.documentElement.dir = 'rtl'")
    time.sleep(0.2)
    browser.picture(pictures / "page-right-to-left.png")
    check("from right to left nothing sticks out", browser.value("document.documentElement.scrollWidth - innerWidth") <= 0)


def axe_script():
    """axe, if the package that brings it is installed."""
    try:
        import axe_playwright_python
    except ImportError:
        return None
    files = pathlib.Path(axe_playwright_python.__file__).parent.rglob("axe*.js")
    return next((path.read_text() for path in files), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the short pass")
    parser.add_argument("--pictures", type=pathlib.Path, default=ROOT / ".build-verify" / "browser")
    parser.add_argument("--program", default=str(harness.PROGRAMS / "wharf"))
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        print("skipped: there is no chromium in PATH")
        return 0 if options.quick else 1
    options.pictures.mkdir(parents=True, exist_ok=True)
    check = Checks()
    print("| in Chromium | met | |\n|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="page-") as name:
        scratch = pathlib.Path(name)
        with Share(scratch, options.program) as share:
            browser = PageBrowser(chromium, scratch / "profile")
            try:
                check_basics(browser, share, check)
                if not options.quick:
                    check_folders(browser, share, check)
                    check_pause(browser, share, check)
                    check_interruptions(browser, share, check, options.program)
                    check_keyboard(browser, share, check)
                    check_many(browser, share, check)
                    check_hostile_names(browser, share, check)
                    shutil.rmtree(share.folder / "hostile")
                    shutil.rmtree(share.folder / "taken")
                    check_views(browser, share, options.pictures, check, axe_script())
            finally:
                browser.close()
    if check.failed:
        harness.fail(f"{check.failed} failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
