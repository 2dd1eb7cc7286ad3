#!/usr/bin/env python3
"""What one `GET /plaintext` costs, in figures that do not depend on the machine's load.

Each is the slope between two numbers of requests, so that starting up costs nothing. Ends with 1
if one is above its ceiling.
"""

import argparse
import functools
import pathlib
import re
import shutil
import sys
import tempfile
import time

import harness

CEILINGS = {
    "user instructions": 8500,
    "instructions for 999 more routes": 1500,
    "allocations": 4,
    "system calls, 1 connection": 3.2,
    "system calls, 64 connections": 3.2,
}

SECONDS_TO_START = 60  # under valgrind


def run(options, prefix, connection_count, each_count, path=None, arguments=""):
    """Starts a server under a tool, asks it, ends it, and returns what the tool printed."""
    command = options.server + arguments
    with harness.Server(command, prefix=prefix, seconds_to_start=SECONDS_TO_START) as server:
        harness.keep_asking(server.port, path or options.path, connection_count, each_count)
        time.sleep(0.3)  # lets the server see that the clients have left
        status = server.stop(seconds=60)
        text = server.log()
    if status != 0:
        harness.fail(f"the server ended with status {status}:\n{text}")
    return text


def instructions(options, folder, each_count, **asked):
    out = folder / f"callgrind.{each_count}"
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
    run(options, tool, 1, each_count, **asked)
    total = re.search(r"^(?:totals|summary): (\d+)", out.read_text(), re.MULTILINE)
    if not total:
        harness.fail("callgrind has written no total")
    return int(total[1])


def allocations(options, folder, each_count):
    tool = ["valgrind", "--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"]
    text = run(options, tool, 1, each_count)
    total = re.search(r"total heap usage: ([\d,]+) allocs", text)
    if not total:
        harness.fail(f"memcheck has printed no heap usage:\n{text}")
    return int(total[1].replace(",", ""))


def system_calls(connection_count, options, folder, each_count):
    """How many of each call, all connections together."""
    out = folder / f"strace.{connection_count}.{each_count}"
    # -D: strace is the grandchild, so that the process we signal is the server.
    run(options, ["strace", "-D", "-f", "-c", "-o", str(out)], connection_count, each_count)
    deadline = time.monotonic() + 20
    while not (out.exists() and out.read_text().rstrip().endswith("total")):
        if time.monotonic() > deadline:
            harness.fail("strace has written no summary")
        time.sleep(0.05)
    calls = {}
    for line in out.read_text().splitlines():
        fields = line.split()
        if len(fields) >= 5 and fields[0][0].isdigit() and fields[-1] != "total":
            calls[fields[-1]] = int(fields[3])
    return calls


def routing(options, folder, each_count):
    """Two servers, one with one route that has a parameter, and one with a thousand."""
    one, many = (
        instructions(options, folder, each_count, path="/route-0/1", arguments=f" --routes {count}")
        for count in (1, 1000))
    return many - one


def slope(measure, options, folder, counts):
    """What one request adds: a number, or numbers by name."""
    few, many = counts
    low, high = measure(options, folder, few), measure(options, folder, many)
    if isinstance(low, int):
        return (high - low) / (many - few)
    return {name: (high.get(name, 0) - low.get(name, 0)) / (many - few) for name in low | high}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.CONFORMANCE_SERVER,
                        help="the command, with {port}; ours takes --routes too")
    parser.add_argument("--only", default="", help="a regular expression for figures")
    parser.add_argument("--path", default="/plaintext")
    options = parser.parse_args()
    for tool in ("valgrind", "strace"):
        if not shutil.which(tool):
            harness.fail(f"{tool} is not installed")

    # How to measure, the two numbers of requests on each connection, and the connections.
    measures = {
        "user instructions": (instructions, (500, 4500), 1),
        "instructions for 999 more routes": (routing, (500, 2500), 1),
        "allocations": (allocations, (500, 4500), 1),
        "system calls, 1 connection": (functools.partial(system_calls, 1), (200, 2200), 1),
        "system calls, 64 connections": (functools.partial(system_calls, 64), (20, 120), 64),
    }
    lines = [
        f"One `GET {options.path}`: slope between two numbers of requests.", "",
        f"{harness.machine()}.", "",
        "| a request | measured | ceiling | met |", "|---|---|---|---|"]
    broken, notes = [], []
    with tempfile.TemporaryDirectory(prefix="ceilings-") as folder:
        for name, (measure, counts, connection_count) in measures.items():
            if not re.search(options.only, name):
                continue
            harness.say(name)
            value = slope(measure, options, pathlib.Path(folder), counts)
            if isinstance(value, dict):
                each = {call: count / connection_count for call, count in value.items()}
                value = sum(each.values())
                often = sorted((-count, call) for call, count in each.items() if count > 0.01)
                notes += ["", f"{name}: {', '.join(f'{call} {-n:.2f}' for n, call in often)}."]
            met = value <= CEILINGS[name]
            lines.append(
                f"| {name} | {value:,.{0 if value > 100 else 2}f} | {CEILINGS[name]:,} | "
                f"{'yes' if met else 'NO'} |")
            if not met:
                broken.append(name)
    print("\n".join(lines + notes))
    if broken:
        harness.fail("Above the ceiling: " + ", ".join(broken))


if __name__ == "__main__":
    sys.exit(main())
