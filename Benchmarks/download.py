#!/usr/bin/env python3
"""1 GiB downloaded from `wharf serve`, beside nginx with one worker and sendfile.

The rounds alternate, so that a slow moment of the machine is everybody's. The client has the kernel
throw away what it receives, so that it is not what is measured. Ends with 1 if ours is slower than
0.95 of nginx's speed, or its memory grows by 16 MiB.
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

RATIO_MIN = 0.95
GROWTH_MAX = 16 << 20
PIECE = 1 << 20


def download(port, path, size):
    """Seconds from the request to the last byte."""
    with socket.create_connection(("127.0.0.1", port), 60) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        started = time.monotonic()
        client.sendall(harness.request(path, port, ["Connection: close"]))
        head = b""
        while b"\r\n\r\n" not in head:
            piece = client.recv(4096)
            if not piece:
                harness.fail(f"{path}: the connection ended within a head: {head!r}")
            head += piece
        if not head.startswith(b"HTTP/1.1 200"):
            harness.fail(f"{path}: {head[:80]!r}")
        left = size - len(head.partition(b"\r\n\r\n")[2])
        buffer = bytearray(PIECE)
        discard = getattr(socket, "MSG_TRUNC", 0) if sys.platform == "linux" else 0
        while left > 0:
            count = client.recv_into(buffer, min(left, PIECE), discard)
            if count == 0:
                harness.fail(f"{path}: {left} bytes are missing")
            left -= count
        return time.monotonic() - started


def memory(server):
    """Bytes of it at the most so far."""
    for line in pathlib.Path(f"/proc/{server.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--size", type=int, default=1 << 30, help="bytes")
    parser.add_argument("--folder", help="where the file is stored (the system's for such)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        files = pathlib.Path(name) / "files"
        files.mkdir()
        block = os.urandom(1 << 20)
        with open(files / "big.bin", "wb") as file:
            for _ in range(0, options.size, len(block)):
                file.write(block)
        size = (files / "big.bin").stat().st_size
        # Its pages are in memory for both.
        (files / "small.bin").write_bytes(block)
        share = (f"{shlex.quote(str(harness.PROGRAMS / 'wharf'))} serve --port {{port}} "
                 f"{shlex.quote(name)}")
        with harness.nginx(name) as nginx, harness.Server(share) as ours:
            sys.exit(measure(nginx, ours, size, options.rounds))


def measure(nginx, ours, size, rounds):
    servers = {"nginx": nginx, "wharf": ours}
    for server in servers.values():
        download(server.port, "/files/small.bin", 1 << 20)
    before = memory(ours)
    rates = {name: [] for name in servers}
    work = {name: [] for name in servers}
    for turn in range(rounds + 1):
        for name, server in servers.items():
            used = server.cpu()
            seconds = download(server.port, "/files/big.bin", size)
            # The first round brings the file into memory.
            if turn > 0:
                rates[name].append(size / seconds / (1 << 20))
                work[name].append(server.cpu_since(used) / 1e9)
    growth = memory(ours) - before
    ratio = statistics.median(a / b for a, b in zip(rates["wharf"], rates["nginx"]))
    print(f"{harness.machine()}.\n\n{size >> 20} MiB, {rounds} rounds.\n")
    print("| server | MiB/s, median | CPU s | ratio, median of pairs |\n|---|---|---|---|")
    for name in servers:
        beside = f"{ratio:.2f}" if name == "wharf" else ""
        print(f"| {name} | {statistics.median(rates[name]):.0f} "
              f"| {statistics.median(work[name]):.2f} | {beside} |")
    print(f"\nMemory grew by {growth / (1 << 20):.1f} MiB.")
    return 1 if ratio < RATIO_MIN or growth >= GROWTH_MAX else 0


if __name__ == "__main__":
    main()
