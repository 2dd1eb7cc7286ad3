#!/usr/bin/env python3
"""1 GiB received by tus: in one PATCH, and in PATCHes of 1 MiB, beside a raw PUT of the same server.

The rounds alternate, so that a slow moment of the machine is everybody's. Ends with 1 if one PATCH is
slower than nine tenths of the PUT, or small ones slower than six tenths.
"""

import argparse
import os
import pathlib
import shlex
import socket
import statistics
import sys
import tempfile
import time

import harness

RATIO_MIN = {"one PATCH": 0.9, "1 MiB PATCHes": 0.6}
PIECE = 256 << 10
MIB = 1 << 20


def exchange(client, head, body, count):
    """Sends `count` times the body behind a head, and reads the head of the answer."""
    client.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
    for _ in range(count):
        client.sendall(body)
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = client.recv(1 << 16)
        if not piece:
            harness.fail(f"{head[0]}: no answer")
        answer += piece
    if not 200 <= int(answer[9:12]) < 300:
        harness.fail(f"{head[0]}: {answer[:200]!r}")
    return answer.decode("latin-1")


def put(client, size):
    body = os.urandom(PIECE)
    started = time.monotonic()
    exchange(client, ["PUT /file HTTP/1.1", "Host: localhost", f"Content-Length: {size}"],
             body, size // PIECE)
    return time.monotonic() - started


def tus(client, size, step):
    body = os.urandom(min(PIECE, step))
    started = time.monotonic()
    common = ["Host: localhost", "Tus-Resumable: 1.0.0"]
    # `file`, replaced each time as a PUT does.
    answer = exchange(client, [
        "POST / HTTP/1.1", *common, f"Upload-Length: {size}", "Content-Length: 0",
        "Upload-Metadata: filename ZmlsZQ==,conflict cmVwbGFjZQ=="], b"", 0)
    place = [line for line in answer.split("\r\n") if line.lower().startswith("location:")][0]
    path = "/" + place.split(": ", 1)[1].split("/", 3)[3]
    for offset in range(0, size, step):
        exchange(client, [
            f"PATCH {path} HTTP/1.1", *common, f"Upload-Offset: {offset}",
            "Content-Type: application/offset+octet-stream", f"Content-Length: {step}"],
            body, step // len(body))
    return time.monotonic() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=1024, help="MiB (1024)")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    size = options.size * MIB
    ways = {
        "raw PUT": lambda client: put(client, size),
        "one PATCH": lambda client: tus(client, size, size),
        "1 MiB PATCHes": lambda client: tus(client, size, MIB),
    }
    times = {name: [] for name in ways}
    program = shlex.quote(str(harness.PROGRAMS / "wharf"))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as state:
        command = f"{program} serve --writable --port {{port}} --state {state} {folder}"
        with harness.Server(command) as server:
            for _ in range(options.rounds + 1):
                for name, run in ways.items():
                    with socket.create_connection(("127.0.0.1", server.port)) as client:
                        times[name].append(run(client))
                    (pathlib.Path(folder) / "file").unlink()
    is_slow = False
    # The first round warms up.
    base = statistics.median(times["raw PUT"][1:])
    print(f"raw PUT: {options.size / base:.0f} MiB/s")
    for name, ratio_min in RATIO_MIN.items():
        ratios = [put / own for put, own in zip(times["raw PUT"][1:], times[name][1:])]
        ratio = statistics.median(ratios)
        is_slow |= ratio < ratio_min
        print(f"{name}: {options.size / statistics.median(times[name][1:]):.0f} MiB/s, "
              f"{ratio:.2f} of it (at least {ratio_min})")
    return 1 if is_slow else 0


if __name__ == "__main__":
    sys.exit(main())
