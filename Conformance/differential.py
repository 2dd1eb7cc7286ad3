#!/usr/bin/env python3
"""Judges mutated requests beside two strict parsers: `differential.py [--count N] [--seed S]`.

h11 and llhttp (in httptools) come from PyPI. What both refuse must not be accepted. What both
accept may be refused for a reason of reviewed/differential.txt only. A run prints its seed, which
makes the same requests again.
"""

import argparse
import collections
import os
import pathlib
import random
import subprocess
import sys

import mutations
from report import REVIEWED, ROOT

try:
    import h11
    import httptools
except ImportError:
    h11 = None

# Where scripts/python-packages puts them.
PYTHON = ROOT / ".build-python" / "bin" / "python"
BATCH = 20_000
# From so many requests on, a reason that was not met once is no longer needed on the list.
COUNT_OF_LONG_RUNS = 500_000


def verdict_of_h11(data):
    connection = h11.Connection(h11.SERVER)
    try:
        # RFC 9112 §2.2 has servers skip an empty line before a request, which h11 does not.
        connection.receive_data(data.removeprefix(b"\r\n"))
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                return "wait"
            if event is h11.PAUSED or isinstance(event, h11.EndOfMessage):
                return "ok"
    except h11.RemoteProtocolError:
        return "refused"


class Listener:
    """Hears of the end of the first message."""

    is_done = False

    def on_message_complete(self):
        self.is_done = True


def verdict_of_llhttp(data):
    listener = Listener()
    parser = httptools.HttpRequestParser(listener)
    try:
        parser.feed_data(data)
    except httptools.HttpParserUpgrade:
        # It leaves what follows to the other protocol, and has not looked at a body.
        return "upgrade"
    except httptools.HttpParserError:
        return "ok" if listener.is_done else "refused"
    return "ok" if listener.is_done else "wait"


def verdicts_of_ours(program, requests):
    """`ok`, `wait`, or status and reason, for each."""
    message = b"".join(b"%d\n" % len(data) + data for data in requests)
    judged = subprocess.run(
        [program, "--judge"], input=message, stdout=subprocess.PIPE, check=True)
    verdicts = judged.stdout.decode().splitlines()
    if len(verdicts) != len(requests):
        raise ValueError(f"{len(requests)} requests, {len(verdicts)} verdicts")
    return verdicts


def reviewed_reasons():
    """Lines of `status reason | RFC clause`."""
    lines = (REVIEWED / "differential.txt").read_text().splitlines()
    return {line.split(" | ")[0] for line in lines if line and not line.startswith("#")}


class Tally:
    """What became of the requests so far."""

    def __init__(self):
        self.reviewed = reviewed_reasons()
        self.counts = collections.Counter()
        self.reasons = collections.Counter()
        self.failures = []

    def add(self, data, ours):
        theirs = (verdict_of_h11(data), verdict_of_llhttp(data))
        kind = ours if ours in ("ok", "wait") else "refused"
        self.counts[kind] += 1
        self.counts["agree"] += kind in theirs
        if theirs == ("refused", "refused") and kind == "ok":
            self.failures.append(f"accepted though both refuse: {data!r}")
        if theirs == ("ok", "ok") and kind != "ok":
            self.reasons[ours] += 1
            if ours not in self.reviewed:
                self.failures.append(f"{ours}, though both accept: {data!r}")

    def report(self, count, seed):
        if count >= COUNT_OF_LONG_RUNS:
            for reason in sorted(self.reviewed - set(self.reasons)):
                self.failures.append(f"on the list, but not met once: {reason}")
        print(f"differential: seed {seed}, {count} requests: {self.counts['ok']} accepted, "
              f"{self.counts['refused']} refused, {self.counts['wait']} wait; "
              f"{self.counts['agree']} as h11 or llhttp; refused though both accept: "
              f"{sum(self.reasons.values())}; not reviewed: {len(self.failures)}")
        for failure in self.failures[:20]:
            print(f"    {failure}")
        for side in ("ok", "refused"):
            # Mutations that reach one side only would say nothing.
            if self.counts[side] < count // 10:
                self.failures.append(side)
                print(f"    hardly any request is {side}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=ROOT / ".build-release/release/conformance-server",
                        type=pathlib.Path, help="the program (default: the release build's)")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, help="default: another each time")
    options = parser.parse_args()
    if h11 is None and PYTHON.exists() and sys.prefix == sys.base_prefix:
        os.execv(PYTHON, [PYTHON, *sys.argv])
    if h11 is None:
        print("differential: skipped: no h11 or httptools (scripts/python-packages)")
        return 0

    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    generator = random.Random(seed)
    tally = Tally()
    for start in range(0, options.count, BATCH):
        batch = [mutations.request(generator) for _ in range(min(BATCH, options.count - start))]
        for data, ours in zip(batch, verdicts_of_ours(options.server, batch)):
            tally.add(data, ours)
    tally.report(options.count, seed)
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
