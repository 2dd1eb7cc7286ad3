#!/usr/bin/env python3
"""BLIP between two of ours, beside go-blip with itself: `blip.py [--peer PROGRAM] [--rounds 5]`.

Echoes of 100 bytes, 100 deep; bodies of 64 MiB; urgent echoes while 200 MiB are on their way; and the memory
that a reader who takes his time costs both ends. The peer is what Conformance/blip_peer.go tells how to build;
without it only ours are measured. The rounds alternate. Ends with 1 if a bound is missed.
"""

import argparse
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import threading
import time

import harness

# At least so many times the peer's; at most so many ms or MiB.
ECHO_MIN, BODY_MIN, URGENT_MAX_MS, GROWTH_MAX_MIB = 3, 1.5, 5, 16


def figures(text):
    """The best of each kind that a client has printed."""
    found = {}
    for line in text.splitlines():
        match = re.match(r"(.*?): (\d+) (?:echoes|MB)/s", line)
        if match:
            found[match[1]] = max(int(match[2]), found.get(match[1], 0))
        match = re.search(r"p99 ([\d.]+) ms", line)
        if match:
            found["urgent p99, ms"] = float(match[1])
    return found


def run(command, what, url):
    done = subprocess.run([*command, *((what, url) if len(command) == 1 else (url, what))],
                          capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        harness.fail(f"{command}: {done.stdout}{done.stderr}")
    return figures(done.stdout)


def pair(server_command, client):
    """What one implementation does with itself."""
    found = {}
    for what in ("echo", "body", "urgent"):
        with harness.Server(server_command) as server:
            found |= run(client, what, f"ws://127.0.0.1:{server.port}/blip")
    return found


def memory(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0


def slow_reader():
    """MiB that both ends grow by while 200 MiB go to a reader of 20 MiB/s."""
    with harness.Server(f"{harness.CONFORMANCE_SERVER} --quiet") as server:
        client = subprocess.Popen([str(harness.PROGRAMS / "blip-benchmark"), "slow",
                                   f"ws://127.0.0.1:{server.port}/blip"], stdout=subprocess.PIPE, text=True)
        samples = []

        def watch():
            while client.poll() is None:
                samples.append((memory(server.pid), memory(client.pid)))
                time.sleep(0.1)
        watcher = threading.Thread(target=watch)
        watcher.start()
        text = client.communicate(timeout=120)[0]
        watcher.join()
    if client.returncode != 0 or "200 MiB" not in text:
        harness.fail(f"the slow reader: {text}")
    # It has begun, and not ended.
    steady = samples[len(samples) // 5:-3]
    return [max(values) - min(values) for values in zip(*steady)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    kinds = {"ours": (f"{harness.CONFORMANCE_SERVER} --quiet", [str(harness.PROGRAMS / "blip-benchmark")])}
    if options.peer:
        kinds["go-blip"] = (f"{shlex.quote(options.peer)} listen {{port}}", [options.peer, "call"])
    rounds = {kind: [] for kind in kinds}
    for _ in range(options.rounds):
        for kind, (server, client) in kinds.items():
            rounds[kind].append(pair(server, client))
    print(f"{harness.machine()}\n\n| what | {' | '.join(kinds)} | ratio, median of {options.rounds} pairs |")
    print("|---" * (len(kinds) + 2) + "|")
    missed = []
    for name in rounds["ours"][0]:
        values = [[found[name] for found in rounds[kind]] for kind in kinds]
        ratio = statistics.median(a / b for a, b in zip(*values)) if options.peer else None
        cells = [f"{statistics.median(column):g} ({min(column):g} to {max(column):g})" for column in values]
        print(f"| {name} | {' | '.join(cells)} | {f'{ratio:.2f}' if ratio else ''} |")
        least = ECHO_MIN if name == "100 deep" else BODY_MIN if name.startswith("64 MiB") else None
        if least and ratio and ratio < least:
            missed.append(f"{name}: {ratio:.2f} of go-blip's, not {least}")
        if name.startswith("urgent") and statistics.median(values[0]) > URGENT_MAX_MS:
            missed.append(name)
    server, client = slow_reader()
    print(f"\nA reader of 20 MiB/s of 200 MiB: the server grows by {server:.1f} MiB, the client by {client:.1f} MiB.")
    if max(server, client) > GROWTH_MAX_MIB:
        missed.append("memory with a slow reader")
    for text in missed:
        print(f"over its bound: {text}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
