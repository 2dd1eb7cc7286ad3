#!/usr/bin/env python3
"""What an access log and a login cost, beside a bare hello.

All answer the same text from the same router: `/plaintext` on a server that logs nothing, on one that
writes a combined line for each request to a file, behind Basic, and both. The rounds alternate. Ends
with 1 if both together take more than 1.5 times the CPU of the bare one.
"""

import argparse
import base64
import contextlib
import pathlib
import re
import shutil
import statistics
import sys
import tempfile

import harness

RATIO_MAX = 1.5
LOGIN = "Authorization: Basic " + base64.b64encode(b"u:p").decode()
AGENT = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

# The server's options, the path, and the fields that are sent.
WAYS = {
    "bare": ("--quiet", "/plaintext", [AGENT]),
    "access log": ("--quiet --access-log combined", "/plaintext", [AGENT]),
    "login": ("--quiet", "/login/plaintext", [AGENT, LOGIN]),
    "both": ("--quiet --access-log combined", "/login/plaintext", [AGENT, LOGIN]),
}


def command(options, arguments):
    return f"{options.server} {arguments}"


def seconds(server, way, connection_count, each_count):
    """Microseconds of CPU a request."""
    _, path, fields = WAYS[way]
    before = server.cpu()
    harness.keep_asking(server.port, path, connection_count, each_count, fields=fields)
    return server.cpu_since(before) / 1000 / (connection_count * each_count)


def measure(options, connection_count, each_count):
    """CPU microseconds a request, each way, and the ratios to the bare one in the same round."""
    with contextlib.ExitStack() as stack:
        servers = {
            way: stack.enter_context(harness.Server(command(options, arguments)))
            for way, (arguments, _, _) in WAYS.items()}
        for way, server in servers.items():
            seconds(server, way, connection_count, max(1, each_count // 10))
        used = {way: [] for way in WAYS}
        for _ in range(options.rounds):
            for way, server in servers.items():
                used[way].append(seconds(server, way, connection_count, each_count))
    ratios = {
        way: statistics.median(a / b for a, b in zip(measured, used["bare"]))
        for way, measured in used.items()}
    return {way: statistics.median(measured) for way, measured in used.items()}, ratios


def instructions(options, way, folder):
    """User instructions a request: the slope between two numbers of them."""
    arguments, path, fields = WAYS[way]
    totals = []
    for count in (500, 4500):
        out = folder / f"{way}.{count}"
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        with harness.Server(command(options, arguments), prefix=tool,
                            seconds_to_start=60) as server:
            harness.keep_asking(server.port, path, 1, count, fields=fields)
            if server.stop(seconds=60) != 0:
                harness.fail(server.log())
        totals.append(int(re.search(
            r"^(?:totals|summary): (\d+)", out.read_text(), re.MULTILINE)[1]))
    return (totals[1] - totals[0]) / 4000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.CONFORMANCE_SERVER)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--requests", type=int, default=8000, help="each round, all connections")
    options = parser.parse_args()

    print(f"{harness.machine()}.\n")
    print("| connections | way | CPU microseconds a request | of the bare one |")
    print("|---|---|---|---|")
    missed = False
    for connection_count in (1, 64):
        used, ratios = measure(options, connection_count, options.requests // connection_count)
        for way in WAYS:
            print(f"| {connection_count} | {way} | {used[way]:.1f} | {ratios[way]:.2f} |")
        missed = missed or ratios["both"] > RATIO_MAX
    if shutil.which("valgrind"):
        print("\n| way | user instructions a request |\n|---|---|")
        with tempfile.TemporaryDirectory(prefix="access-") as folder:
            for way in WAYS:
                print(f"| {way} | {instructions(options, way, pathlib.Path(folder)):,.0f} |")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
