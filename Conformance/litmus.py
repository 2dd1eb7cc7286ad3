#!/usr/bin/env python3
"""Runs litmus, the suite for WebDAV that Debian has, against `wharf serve`: `litmus.py [--server FILE]`.

Ends with 1 unless every one of its 104 checks was run, has passed and had nothing to warn of.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

# What litmus 0.13 runs when nothing is skipped, suite by suite.
COUNTS = {"basic": 16, "copymove": 13, "props": 30, "locks": 41, "http": 4}
SUMMARY = re.compile(r"summary for `(\w+)': of (\d+) tests run: (\d+) passed, (\d+) failed")


def judge(output):
    """What is wrong with a run, line by line; none if all is well."""
    found = [line.strip() for line in output.splitlines() if re.search(r"FAIL|WARNING", line)]
    summaries = {name: (int(run), int(passed))
                 for name, run, passed, _ in SUMMARY.findall(output)}
    for name, count in COUNTS.items():
        run, passed = summaries.get(name, (0, 0))
        print(f"litmus {name}: {passed} of {count} passed")
        if (run, passed) != (count, count):
            found.append(f"{name}: {run} were run, {passed} have passed, of {count}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.PROGRAMS / "wharf",
                        help="the program (default: the release build's)")
    options = parser.parse_args()

    program = shlex.quote(str(pathlib.Path(options.server).resolve()))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as place:
        command = f"{program} serve --writable --port {{port}} {shlex.quote(folder)}"
        with harness.Server(command) as server:
            # It leaves a log where it is started.
            run = subprocess.run(
                ["litmus", "-k", f"http://127.0.0.1:{server.port}/"], cwd=place, timeout=120,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                check=False)
            status = server.stop()
    failures = judge(run.stdout.decode(errors="replace"))
    if status != 0:
        failures.append(f"the server ended with status {status}")
    for failure in failures:
        print(f"  {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
