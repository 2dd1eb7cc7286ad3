#!/usr/bin/env python3
"""Archives of a folder that are made while they are sent: 5 GiB in one file, and 70,000 files.

Both are read by Python and by unzip; the server's memory is looked at; and a client that leaves in the
midst is noticed. Ends with 1 if something fails.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

GROWTH_MAX = 16 << 20


def memory(pid, field="VmRSS"):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    return 0


def cpu(pid):
    return sum(map(int, pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))


def fetch(server, path, target):
    url = f"http://127.0.0.1:{server.port}/.wharf/zip?path={path}"
    started = time.monotonic()
    with urllib.request.urlopen(url, timeout=120) as answer, open(target, "wb") as file:
        shutil.copyfileobj(answer, file, 1 << 20)
    return time.monotonic() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(harness.PROGRAMS / "wharf"))
    options = parser.parse_args()
    failed = 0
    print("| archive | met | |\n|---|---|---|")

    def check(name, is_met, detail):
        nonlocal failed
        failed += not is_met
        print(f"| {name} | {'yes' if is_met else 'NO'} | {detail} |", flush=True)

    with tempfile.TemporaryDirectory(prefix="archives-") as name:
        folder = pathlib.Path(name) / "share"
        for part in ("large", "many"):
            (folder / part).mkdir(parents=True)
        with open(folder / "large/film.mov", "wb") as file:
            file.write(b"begin")
            file.truncate(5 << 30)
            file.seek(-3, 2)
            file.write(b"end")
        (folder / "large/after.txt").write_text("behind 4 GiB")
        for index in range(70_000):
            (folder / f"many/a name of usual length {index}.txt").write_text(str(index))
        target = pathlib.Path(name) / "archive.zip"
        with harness.Server(f"{options.program} serve --port {{port}} '{folder}'") as server:
            fetch(server, "/large/after.txt".rpartition("/")[0] + "/&name=after.txt", target)
            before = memory(server.pid)
            for part, count in (("large", 3), ("many", 70_001)):
                seconds = fetch(server, f"/{part}/", target)
                growth = memory(server.pid, "VmHWM") - before
                check(f"{part}: memory", growth < GROWTH_MAX,
                      f"{growth / 2**20:.1f} MiB more at most, {target.stat().st_size >> 20} MiB in {seconds:.0f} s")
                with zipfile.ZipFile(target) as archive:
                    names = archive.namelist()
                    check(f"{part}: Python reads it", len(names) == count and archive.testzip() is None,
                          f"{len(names)} entries")
                unzip = subprocess.run(["unzip", "-tqq", target], capture_output=True)
                check(f"{part}: unzip reads it", unzip.returncode == 0, unzip.stderr.decode()[:100])
            answer = urllib.request.urlopen(f"http://127.0.0.1:{server.port}/.wharf/zip?path=/large/", timeout=30)
            answer.read(10 << 20)
            answer.close()
            time.sleep(1)
            first = cpu(server.pid)
            time.sleep(2)
            check("a client that leaves ends it", cpu(server.pid) - first <= 4, f"{cpu(server.pid) - first} ticks in 2 s")
    if failed:
        harness.fail(f"{failed} failed")


if __name__ == "__main__":
    sys.exit(main())
