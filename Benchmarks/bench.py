#!/usr/bin/env python3
"""nginx (one worker) beside ours, in alternating pairs; prints a Markdown table.

Ends with 1 if a figure misses its target. The ratios are the medians of the ratios of the pairs:
both of a pair had the same machine, whatever else it was doing.
"""

import argparse
import contextlib
import pathlib
import re
import shlex
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import harness

CONNECTION_COUNTS = (1, 64, 512)
BIG_SCENARIO = "256 MiB file"

# scenario, connections, figure (ours / nginx), "at least" or "at most", bound
TARGETS = [
    ("/plaintext", 64, "req/s", "at least", 1.0),
    ("/plaintext", 64, "CPU", "at most", 1.15),
    ("/plaintext", 64, "p99", "at most", 1.5),
    ("/pool", 64, "CPU", "at most", 2.0),
    ("1 KiB file", 64, "req/s", "at least", 0.9),
    ("1 KiB file", 64, "CPU", "at most", 1.3),
    ("100 KiB file", 64, "req/s", "at least", 0.9),
    ("100 KiB file", 64, "CPU", "at most", 1.3),
    (BIG_SCENARIO, 1, "MB/s", "at least", 0.95),
    (BIG_SCENARIO, 1, "CPU", "at most", 1.2),
]

# name, path on nginx, path on ours, which of our servers
SCENARIOS = [
    ("/plaintext", "/plaintext", "/plaintext", "conformance"),
    ("/pool", "/plaintext", "/pool", "conformance"),
    ("1 KiB file", "/files/1k.bin", "/files/1k.bin", "files"),
    ("100 KiB file", "/files/100k.bin", "/files/100k.bin", "files"),
]

BIG_BYTE_COUNT = 256 << 20
FILES = {"1k.bin": 1 << 10, "100k.bin": 100 << 10, "256m.bin": BIG_BYTE_COUNT}


def seconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60}[unit]


def run_wrk(server, path, connections, duration):
    """(requests a second, CPU microseconds a request, p99 in milliseconds)"""
    before = server.cpu()
    result = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{duration}s", "--timeout", "10s", "--latency",
         f"http://127.0.0.1:{server.port}{path}"],
        capture_output=True, text=True, timeout=duration + 30)
    used = server.cpu_since(before)
    text = result.stdout
    trouble = re.search(r"(Socket errors|Non-2xx).*", text)
    count = re.search(r"(\d+) requests in", text)
    if trouble or not count or int(count[1]) == 0:
        harness.fail(f"wrk on {path}: {trouble[0] if trouble else text + result.stderr}")
    return (
        float(re.search(r"Requests/sec:\s*([\d.]+)", text)[1]),
        used / 1000 / int(count[1]),
        1000 * seconds(re.search(r"(?m)^\s+99%\s+(\S+)", text)[1]))


def run_download(server, path, download_count=3):
    """(MB a second, CPU milliseconds a GB)"""
    buffer = bytearray(1 << 20)
    used_before = server.cpu()
    elapsed = 0
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        connection.settimeout(60)
        for _ in range(download_count):
            started = time.monotonic()
            connection.sendall(harness.request(path, server.port))
            head = b""
            while b"\r\n\r\n" not in head:
                piece = connection.recv(4096)
                if not piece:
                    harness.fail(f"{path}: no answer")
                head += piece
            if not head.startswith(b"HTTP/1.1 200"):
                harness.fail(f"{path}: {head[:200]!r}")
            left = BIG_BYTE_COUNT - len(head.partition(b"\r\n\r\n")[2])
            while left > 0:
                count = connection.recv_into(buffer, min(left, len(buffer)))
                if count == 0:
                    harness.fail(f"{path}: {left} bytes are missing")
                left -= count
            elapsed += time.monotonic() - started
    total = BIG_BYTE_COUNT * download_count
    return total / 1e6 / elapsed, server.cpu_since(used_before) / 1e6 / (total / 1e9)


def pairs(count, nginx, ours):
    """Runs both in turn, each first in every other pair."""
    nginx(), ours()  # warm up
    theirs, mine = [], []
    for index in range(count):
        if index % 2 == 0:
            theirs.append(nginx())
            mine.append(ours())
        else:
            mine.append(ours())
            theirs.append(nginx())
    return theirs, mine


def spread(values, digits=0):
    return (f"{statistics.median(values):,.{digits}f} "
            f"({min(values):,.{digits}f}-{max(values):,.{digits}f})")


def ratio(theirs, mine):
    return statistics.median(b / a if a else float("inf") for a, b in zip(theirs, mine))


class Report:
    def __init__(self):
        self.missed = []
        self.judged = []

    def judge(self, scenario, connections, figures):
        for name, count, figure, direction, bound in TARGETS:
            if (name, count) != (scenario, connections):
                continue
            value = figures[figure]
            met = value >= bound if direction == "at least" else value <= bound
            self.judged.append(
                f"| {name}, {count} connection{'s' if count > 1 else ''}: {figure} | "
                f"{direction} {bound:g} | {value:.2f} | {'yes' if met else 'NO'} |")
            if not met:
                self.missed.append(f"{name} {figure}")


def small_table(options, servers, report):
    lines = [
        "| GET | connections | nginx req/s | ours req/s | ratio | nginx CPU us | ours CPU us | "
        "ratio | nginx p99 ms | ours p99 ms | ratio |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, their_path, my_path, which in SCENARIOS:
        if not re.search(options.only, name):
            continue
        for connections in options.connections:
            harness.say(f"{name}, {connections} connections")
            theirs, mine = pairs(
                options.pairs,
                lambda: run_wrk(servers["nginx"], their_path, connections, options.seconds),
                lambda: run_wrk(servers[which], my_path, connections, options.seconds))
            cells, figures = [], {}
            for index, (figure, digits) in enumerate((("req/s", 0), ("CPU", 1), ("p99", 2))):
                a, b = [run[index] for run in theirs], [run[index] for run in mine]
                figures[figure] = ratio(a, b)
                cells += [spread(a, digits), spread(b, digits), f"{figures[figure]:.2f}"]
            lines.append(f"| {name} | {connections} | {' | '.join(cells)} |")
            report.judge(name, connections, figures)
    return lines if len(lines) > 2 else []


def big_table(options, servers, report):
    name = BIG_SCENARIO
    if not re.search(options.only, name):
        return []
    harness.say(name)
    theirs, mine = pairs(
        options.pairs,
        lambda: run_download(servers["nginx"], "/files/256m.bin"),
        lambda: run_download(servers["files"], "/files/256m.bin"))
    cells, figures = [], {}
    for index, figure in enumerate(("MB/s", "CPU")):
        a, b = [run[index] for run in theirs], [run[index] for run in mine]
        figures[figure] = ratio(a, b)
        cells += [spread(a), spread(b), f"{figures[figure]:.2f}"]
    report.judge(name, 1, figures)
    return [
        "", "| GET | nginx MB/s | ours MB/s | ratio | nginx CPU ms/GB | ours CPU ms/GB | ratio |",
        "|---|---|---|---|---|---|---|", f"| {name} | {' | '.join(cells)} |"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--seconds", type=int, default=3, help="of each run of wrk")
    parser.add_argument("--connections", type=lambda text: [int(n) for n in text.split(",")],
                        default=CONNECTION_COUNTS, help="default: 1,64,512")
    parser.add_argument("--only", default="", help="a regular expression for scenarios")
    parser.add_argument("--output", help="a file that gets the tables, too")
    parser.add_argument("--server", default=harness.CONFORMANCE_SERVER,
                        help="the command for /plaintext and /pool, with {port}")
    parser.add_argument("--files-server", help="the command for files, with {port} and {folder}")
    options = parser.parse_args()
    wharf = shlex.quote(str(harness.PROGRAMS / "wharf"))
    files_command = options.files_server or f"{wharf} serve {{folder}} --port {{port}}"

    report = Report()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        files = pathlib.Path(folder) / "files"
        files.mkdir()
        for name, count in FILES.items():
            with open(files / name, "wb") as file:
                for start in range(0, count, 1 << 20):
                    file.write(bytes(range(256)) * (min(1 << 20, count - start) // 256))
        files_command = files_command.replace("{folder}", shlex.quote(folder))
        commands = {"conformance": options.server, "files": files_command}
        wanted = {which for name, _, _, which in SCENARIOS if re.search(options.only, name)}
        if re.search(options.only, BIG_SCENARIO):
            wanted.add("files")
        with contextlib.ExitStack() as stack:
            servers = {"nginx": stack.enter_context(harness.nginx(folder))}
            for which in sorted(wanted):
                servers[which] = stack.enter_context(harness.Server(commands[which]))
            lines = small_table(options, servers, report) + big_table(options, servers, report)

    version = subprocess.run(["nginx", "-v"], capture_output=True, text=True).stderr.strip()
    lines = [
        f"{version.partition(': ')[2]}, one worker, beside ours; wrk on the same machine: "
        f"{options.pairs} alternating pairs of {options.seconds} s. Medians and ranges; a ratio is "
        "the median of the pairs' ratios (ours / nginx).",
        "", f"{harness.machine()}.", ""] + lines
    if report.judged:
        lines += ["", "| target | bound | measured | met |", "|---|---|---|---|"] + report.judged
    text = "\n".join(lines) + "\n"
    print(text)
    if options.output:
        pathlib.Path(options.output).write_text(text)
    if report.missed:
        harness.fail("Missed: " + ", ".join(report.missed))


if __name__ == "__main__":
    sys.exit(main())
