#!/usr/bin/env python3
"""Echoes over a WebSocket: `websocket.py [--count N] [--peer COMMAND]`; 125 bytes, 100 deep, no compression.

Says echoes a second, and the server's processor time and system calls an echo. The client sends and
receives a hundred frames in one call each, so that it is not what is measured.
"""

import argparse
import os
import re
import shlex
import shutil
import socket
import statistics
import struct
import subprocess
import tempfile
import time

import harness

DEPTH = 100
PAYLOAD = 125
KEY = b"\x11\x22\x33\x44"


def connect(port):
    """A socket after the handshake."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(
        b"GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1)
    if not head.startswith(b"HTTP/1.1 101"):
        harness.fail(f"no WebSocket: {head[:40]!r}")
    return connection


def frames(depth):
    """What the client sends at a time, and what has to come back."""
    payload = bytes(range(PAYLOAD))
    masked = bytes(byte ^ KEY[index & 3] for index, byte in enumerate(payload))
    sent = struct.pack("BB", 0x82, 0x80 | PAYLOAD) + KEY + masked
    return sent * depth, (struct.pack("BB", 0x82, PAYLOAD) + payload) * depth


def echo(connection, count, depth):
    """Sends so many messages and reads their echoes."""
    sent, expected = frames(depth)
    for _ in range(count // depth):
        connection.sendall(sent)
        received = bytearray()
        while len(received) < len(expected):
            piece = connection.recv(1 << 16)
            if not piece:
                harness.fail("the server has closed")
            received += piece
        if received != expected:
            harness.fail("an echo differs")


def processor_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(server, count, depth):
    with connect(server.port) as connection:
        echo(connection, 10 * depth, depth)
        before = processor_seconds(server.pid)
        start = time.monotonic()
        echo(connection, count, depth)
        taken = time.monotonic() - start
        used = processor_seconds(server.pid) - before
    print(f"{depth} deep: {count / taken:,.0f} echoes/s, "
          f"{used / count * 1e6:.2f} us of the server's processor an echo")
    return count / taken


def compare(command, peer, count):
    """Rounds that alternate; the median of the ratios at 100 deep."""
    ratios = []
    for _ in range(5):
        speeds = []
        for each in (command, peer):
            print(f"{each.split()[0]}: ", end="")
            with harness.Server(each) as server:
                speeds.append(measure(server, count, DEPTH))
        ratios.append(speeds[0] / speeds[1])
    ratio = statistics.median(ratios)
    print(f"{ratio:.2f} of the peer's echoes/s (at least 1)")
    return ratio


def calls(command, count, depth):
    """System calls an echo, by strace."""
    if not shutil.which("strace"):
        return
    with tempfile.NamedTemporaryFile("r") as log:
        with harness.Server(command, prefix=("strace", "-f", "-c", "-o", log.name)) as server:
            with connect(server.port) as connection:
                echo(connection, count, depth)
            # strace passes the signal on and writes its table when the server has ended.
            subprocess.run(["pkill", "-TERM", "-P", str(server.pid)], check=False)
            server.process.wait(15)
        total = 0
        for line in log.read().splitlines():
            match = re.match(r"\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+).*\s(\w+)$", line)
            if match and match[2] in ("recvfrom", "sendto", "epoll_pwait", "epoll_wait", "recv",
                                      "send", "read", "write", "writev"):
                total += int(match[1])
    print(f"{depth} deep: {total / count:.3f} system calls an echo")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--server", default=harness.PROGRAMS / "conformance-server")
    parser.add_argument("--peer", help="another server's command with {port}, such as "
                        "blip_peer's `listen {port}`, which echoes by coder/websocket without compression")
    options = parser.parse_args()
    command = f"{shlex.quote(str(options.server))} --port {{port}} --quiet"
    if options.peer and compare(command, options.peer, options.count) < 1:
        harness.fail("slower than the peer")
    with harness.Server(command) as server:
        measure(server, options.count, DEPTH)
        measure(server, options.count // 20, 1)
    calls(command, 100_000, DEPTH)
    calls(command, 5000, 1)


if __name__ == "__main__":
    main()
