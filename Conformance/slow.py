#!/usr/bin/env python3
"""Slow clients: others are served meanwhile, the slow ones are closed in time, nothing is left.

slowhttptest (from Debian) holds 1,000 connections with slow heads, slow bodies and slow reading;
then thousands ask and fall silent. Ends with 1 if a bound is missed.
"""

import argparse
import dataclasses
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402
import idle  # noqa: E402

SLOW_COUNT = 1_000
# The server takes 10,000 in all. Above four fifths it is crowded, and idle ones have less time;
# some room is left for others.
IDLE_COUNT = 7_900
CROWD_COUNT = 9_900
CROWD = 8_000
IDLE_LIMIT = 60
CROWD_LIMIT = 5
# Seconds, the 99th percentile of what others wait for an answer.
WAIT_MAX = 0.25
# Seconds that closing may be late.
LATE_MAX = 2
# Bytes over what a first crowd leaves with the allocator.
GROWTH_MAX = 2 << 20
FILE_SIZE = 64 << 20


@dataclasses.dataclass
class Attack:
    """What slowhttptest is told, and the seconds after which the server closes."""

    name: str
    path: str
    limit: int
    options: list


# The limits are the server's defaults: 10 s for a head, 60 s without a byte of a body or an answer.
# It takes a reader two seconds to have its buffers full, so that no byte moves.
ATTACKS = [
    Attack("heads, a line every 3 s", "/", 10, ["-H", "-i", "3"]),
    Attack("bodies, a piece and then nothing", "/count", 60,
           ["-B", "-i", "120", "-s", "100000", "-t", "POST"]),
    Attack("reading, 5 bytes every 10 s", "/files/large", 62,
           ["-X", "-n", "10", "-z", "5", "-w", "512", "-y", "1024"]),
]


class Others:
    """A client that behaves, beside the attack: how long it waits for its answers."""

    def __init__(self, port):
        self.port = port
        self.waits = []
        self.failures = []
        self.is_done = threading.Event()
        self.thread = threading.Thread(target=self.ask)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_done.set()
        self.thread.join()

    def ask(self):
        """Every time on a connection of its own: what is under attack is taking those."""
        message = harness.request("/plaintext", self.port)
        while not self.is_done.wait(0.03):
            start = time.monotonic()
            try:
                with socket.create_connection(("127.0.0.1", self.port), 10) as connection:
                    connection.sendall(message)
                    harness.read_response(connection)
            except (OSError, SystemExit) as error:
                self.failures.append(str(error))
            self.waits.append(time.monotonic() - start)

    @property
    def percentile(self):
        return sorted(self.waits)[len(self.waits) * 99 // 100] if self.waits else float("inf")


class Findings:
    """Rows of the table, and what went wrong."""

    def __init__(self):
        self.rows = []
        self.failures = []

    def add(self, name, count, late, others, growth):
        self.rows.append(
            f"| {name} | {count:,} | {others.percentile * 1000:.1f} | {len(others.waits):,} | "
            f"{late:+.1f} | {growth / 1024:,.0f} |")
        for is_bad, text in (
                (others.failures, f"others had no answer: {others.failures[:3]}"),
                (others.percentile > WAIT_MAX, f"others waited {others.percentile:.3f} s"),
                (late > LATE_MAX, f"closed {late:.1f} s late"),
                (growth > GROWTH_MAX, f"{growth >> 10} KiB have stayed")):
            if is_bad:
                self.failures.append(f"{name}: {text}")


def wait_for(condition, seconds):
    """The time at which the condition came true, or None."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return time.monotonic()
        time.sleep(0.05)
    return None


def run_attack(server, attack, memory, findings):
    descriptors = server.descriptor_count()
    length = attack.limit + 30
    command = ["slowhttptest", *attack.options, "-c", str(SLOW_COUNT), "-r", "1000", "-p", "2",
               "-l", str(length), "-u", f"http://127.0.0.1:{server.port}{attack.path}"]
    with Others(server.port) as others, tempfile.TemporaryFile() as output:
        start = time.monotonic()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            preexec_fn=harness.end_with_parent)
        try:
            # The tool's probe and the others take a connection or two of their own.
            full = wait_for(lambda: server.descriptor_count() >= descriptors + SLOW_COUNT, 20)
            if full is None:
                held = server.descriptor_count() - descriptors
                findings.failures.append(f"{attack.name}: only {held} connections were held")
                return
            closed = wait_for(
                lambda: server.descriptor_count() <= descriptors + 3, length + 10)
            # It says every few seconds how things are, and mostly ends without connections.
            wait_for(lambda: process.poll() is not None, 8)
        finally:
            process.terminate()
            process.wait()
        output.seek(0)
        said = re.findall(r"service available:\S*\s*\S*?(YES|NO)", output.read().decode("latin-1"))
        if not said or "NO" in said:
            findings.failures.append(f"{attack.name}: slowhttptest found it not available: {said}")
    late = (closed or float("inf")) - full - attack.limit
    idle.wait_for_descriptors(server, descriptors)
    findings.add(attack.name, SLOW_COUNT, late, others, idle.settled(server) - memory)
    harness.say(f"{attack.name}: all there after {full - start:.1f} s")


def run_idle(server, memory, findings):
    """Connections that ask, ask again after a while, and fall silent."""
    descriptors = server.descriptor_count()
    with Others(server.port) as others:
        connections = idle.open_all(server.port, "/plaintext", IDLE_COUNT)
        time.sleep(IDLE_LIMIT / 2)
        message = harness.request("/plaintext", server.port)
        for connection in connections:
            idle.ask(connection, message)
        silent = time.monotonic()
        closed = wait_for(lambda: server.descriptor_count() <= descriptors + 3, IDLE_LIMIT + 30)
    close_all(server, connections, descriptors)
    late = (closed or float("inf")) - silent - IDLE_LIMIT
    growth = idle.settled(server) - memory
    findings.add("idle, asked twice", IDLE_COUNT, late, others, growth)


def run_crowd(server, memory, findings):
    """So many that have asked once that those beyond four fifths are closed soon."""
    descriptors = server.descriptor_count()
    with Others(server.port) as others:
        connections = idle.open_all(server.port, "/plaintext", CROWD_COUNT)
        silent = time.monotonic()
        closed = wait_for(
            lambda: server.descriptor_count() <= descriptors + CROWD + 3, CROWD_LIMIT + 30)
    close_all(server, connections, descriptors)
    late = (closed or float("inf")) - silent - CROWD_LIMIT
    growth = idle.settled(server) - memory
    findings.add("a crowd, until it is none", CROWD_COUNT, late, others, growth)


def close_all(server, connections, descriptors):
    for connection in connections:
        connection.close()
    idle.wait_for_descriptors(server, descriptors)


def warm_up(server):
    """Memory at the start, and after a crowd: the allocator keeps some, and uses it again."""
    harness.keep_asking(server.port, "/plaintext", 64, 50)
    time.sleep(1)
    start = idle.settled(server)
    descriptors = server.descriptor_count()
    connections = idle.open_all(server.port, "/plaintext", CROWD_COUNT)
    close_all(server, connections, descriptors)
    return start, idle.settled(server)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=["H", "B", "X", "idle", "crowd"], help="one of them")
    options = parser.parse_args()
    harness.raise_descriptor_limit(CROWD_COUNT + 256)
    findings = Findings()
    with tempfile.TemporaryDirectory() as folder:
        with open(pathlib.Path(folder) / "large", "wb") as file:
            file.truncate(FILE_SIZE)
        with harness.Server(f"{harness.CONFORMANCE_SERVER} --quiet --root {folder}") as server:
            start, memory = warm_up(server)
            for attack in ATTACKS:
                if options.only in (None, attack.options[0].lstrip("-")):
                    run_attack(server, attack, memory, findings)
            if options.only in (None, "idle"):
                run_idle(server, memory, findings)
            if options.only in (None, "crowd"):
                run_crowd(server, memory, findings)
            if server.stop() != 0:
                findings.failures.append("the server did not end well")

    print(f"Slow clients. {harness.machine()}.\n")
    print("| slow | connections | others' p99 ms | asked | closed after the limit, s | KiB more |")
    print("|---|---|---|---|---|---|")
    print("\n".join(findings.rows))
    print(f"\nPrivate_Dirty: at the start {start / 1024:,.0f} KiB, after a first crowd of "
          f"{CROWD_COUNT:,} {memory / 1024:,.0f} KiB; the last column is over the latter.")
    for failure in findings.failures:
        print(f"\n{failure}")
    return 1 if findings.failures else 0


if __name__ == "__main__":
    sys.exit(main())
