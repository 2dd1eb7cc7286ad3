#!/usr/bin/env python3
"""Exchanges messages with go-blip, both ways: `blip_peers.py PEER`, the program that blip_peer.go tells how to build.

Bodies of seven sizes, random and text, plain, compressed, urgent and without a reply: sent by go-blip to
conformance-server, and by `wharf blip call` to go-blip. Ends with 1 when one comes back wrong.
"""

import argparse
import hashlib
import random
import shlex
import subprocess
import sys

from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))

import harness  # noqa: E402

SIZES = (0, 1, 100, 4096, 16384, 200_000, 5 << 20)
TEXT = b"the same words again and again, "


def call(program, url, profile, body, options):
    command = [program, "blip", "call", "--protocol", "Conformance", "--print-properties", *options, url, profile]
    return subprocess.run(command, input=body, capture_output=True, timeout=60)


def ours_to_theirs(program, url):
    count, wrong = 0, []
    for size in SIZES:
        for name, body in (("random", random.Random(size).randbytes(size)), ("text", (TEXT * (size // 32 + 1))[:size])):
            for options in ([], ["--compressed"], ["--urgent"], ["--no-reply"]):
                count += 1
                done = call(program, url, "Echo", body, options)
                echoed = done.stdout.endswith(body) and (body or done.returncode == 0)
                if done.returncode != 0 or not (echoed or "--no-reply" in options):
                    wrong.append(f"Echo of {size} bytes, {name}, {options}: {done.returncode}, {done.stderr[:200]}")
            told = call(program, url, "Count", body, []).stdout.decode("latin-1")
            count += 1
            if f"count: {size}" not in told or hashlib.sha256(body).hexdigest() not in told:
                wrong.append(f"Count of {size} bytes, {name}: {told[:200]!r}")
    return count, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peer")
    options = parser.parse_args()
    peer = shlex.quote(options.peer)
    with harness.Server(f"{peer} listen {{port}}") as server:
        url = f"ws://127.0.0.1:{server.port}/blip"
        count, wrong = ours_to_theirs(harness.PROGRAMS / "wharf", url)
    print(f"wharf blip call to go-blip: {count} messages, {len(wrong)} wrong", *wrong, sep="\n")
    with harness.Server(f"{harness.CONFORMANCE_SERVER} --quiet") as server:
        done = subprocess.run([options.peer, "matrix", f"ws://127.0.0.1:{server.port}/blip-named"], timeout=300,
                              text=True, capture_output=True)
    print("go-blip to conformance-server:", done.stdout.strip(), done.stderr.strip()[:300])
    return 1 if wrong or done.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
