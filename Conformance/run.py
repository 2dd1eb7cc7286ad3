#!/usr/bin/env python3
"""Runs the conformance suites against a server of their own: `run.py [--server FILE] [SUITE...]`.

Ends with 1 if a case fails that is on no list of reviewed/, or if one on a list passes.
"""

import argparse
import asyncio
import pathlib
import shlex
import sys
import tempfile

import corpora
import h1spec
import http11probe
import probe_fields
from report import DATA, ROOT, report

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

SUITES = {
    "h1spec": h1spec.run,
    "probe_fields": probe_fields.run,
    "http11probe": http11probe.run,
    "own_wire": lambda port: corpora.run("own_wire", port),
    "own_prefixes": lambda port: corpora.run("own_prefixes", port),
    "smuggler": lambda port: corpora.run("smuggler", port),
    "llhttp": lambda port: corpora.run("llhttp", port),
}


def make_root(folder):
    """What the server serves at /files."""
    (folder / "page.html").write_text("<!doctype html><title>A page</title>\n")


async def run_suites(names, port):
    """True if all is well."""
    is_good = True
    for name in names:
        results = await SUITES[name](port)
        if results is None:
            print(f"{name}: skipped: no data ({DATA})")
        elif not report(name, results):
            is_good = False
    return is_good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.PROGRAMS / "conformance-server",
                        help="the program (default: the release build's)")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=" ".join(SUITES))
    options = parser.parse_args()
    unknown = set(options.suites) - set(SUITES)
    if unknown:
        parser.error(f"no such suite: {', '.join(sorted(unknown))}")

    harness.raise_descriptor_limit(4096)
    with tempfile.TemporaryDirectory() as folder:
        make_root(pathlib.Path(folder))
        program = shlex.quote(str(options.server))
        command = f"{program} --port {{port}} --quiet --root {shlex.quote(folder)}"
        with harness.Server(command) as server:
            is_good = asyncio.run(run_suites(options.suites or list(SUITES), server.port))
            status = server.stop()
    if status != 0:
        print(f"The server ended with status {status}.")
        is_good = False
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
