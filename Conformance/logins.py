#!/usr/bin/env python3
"""Real clients log in: curl, requests, httpx and aiohttp, with Basic and with Digest.

`logins.py [--server FILE] [--python FILE]`; FILE is an interpreter that has the three libraries. One
that is missing is skipped and said so; with `--all` that is a failure. Ends with 1 after one.
"""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys

from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

CLIENTS = pathlib.Path(__file__).resolve().parent / "login_clients.py"


class Curl:
    """Runs curl; one call is one process, and so one connection for all its URLs."""

    SCHEMES = {
        "basic": "--basic", "digest": "--digest", "digest-md5": "--digest", "both": "--anyauth",
    }

    def __init__(self, port):
        self.port = port

    def run(self, scheme, *arguments, path=None, password="p", count=1):
        """The status of each answer to the last request of a URL, and all that was printed."""
        url = f"http://127.0.0.1:{self.port}/login/{path or scheme}"
        command = ["curl", "-s", "-m", "10", self.SCHEMES[scheme], "-u", f"u:{password}",
                   "-w", "|%{http_code} %{num_connects}\n", *arguments]
        for _ in range(count):
            command += [url]
        return subprocess.run(command, capture_output=True, text=True, timeout=30).stdout

    def cases(self):
        for scheme in self.SCHEMES:
            get = self.run(scheme)
            yield f"curl {scheme}: GET", get.startswith("GET by u, 0 bytes\n|200")
            post = self.run(scheme, "--data-binary", "x" * 5000)
            yield f"curl {scheme}: POST", post.startswith("POST by u, 5000 bytes\n|200")
            put = self.run(scheme, "-X", "PUT", "-H", "Expect: 100-continue", "-d", "abc")
            yield f"curl {scheme}: PUT after 100", put.startswith("PUT by u, 3 bytes\n|200")
            head = self.run(scheme, "-I")
            yield f"curl {scheme}: HEAD", "HTTP/1.1 200" in head and "|200" in head
            yield f"curl {scheme}: wrong password", "|401" in self.run(scheme, password="x")
            twice = self.run(scheme, count=2).splitlines()
            yield (f"curl {scheme}: two on one connection",
                   [line for line in twice if "|" in line] == ["|200 1", "|200 0"])


def library_cases(python, port):
    """What login_clients.py has found: (case, passed), or a case with None for a missing library."""
    run = subprocess.run(
        [python, str(CLIENTS), str(port)], capture_output=True, text=True, timeout=120)
    if run.returncode != 0:
        yield f"login_clients.py: {run.stderr.strip().splitlines()[-1:]}", False
        return
    for case, passed in json.loads(run.stdout):
        yield case, passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.PROGRAMS / "conformance-server",
                        help="the program (default: the release build's)")
    parser.add_argument("--python", default=sys.executable, help="has requests, httpx, aiohttp")
    parser.add_argument("--all", action="store_true", help="a missing library is a failure")
    options = parser.parse_args()

    failures, count = [], 0
    command = f"{shlex.quote(str(options.server))} --port {{port}} --quiet"
    with harness.Server(command) as server:
        cases = list(Curl(server.port).cases()) + list(library_cases(options.python, server.port))
        status = server.stop()
    for case, passed in cases:
        if passed is None:
            print(f"skipped: {case}")
        else:
            count += 1
        if passed is False or passed is None and options.all:
            failures.append(case)
    if status != 0:
        failures.append(f"the server ended with status {status}")
    print(f"logins: {count} cases, {len(failures)} failures")
    for failure in failures:
        print(f"    {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
