#!/usr/bin/env python3
"""Uploads that go wrong: full disks, limits, hostile forms, and kills at any system call.

The old file has to stay as it was, the client has to be told why, and nothing may be left. `kill`
needs strace, `disk` needs root to mount a small file system. Ends with 1 if anything is missed.
"""

import argparse
import contextlib
import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time

from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

OLD = b"the file that was there before"
WHARF = shlex.quote(str(harness.PROGRAMS / "wharf"))
RESERVED = re.compile(r"\.wharf-[0-9a-f]{16}\.part")
# What the loop and the pool call for an upload.
CALLS = ("openat2 openat newfstatat fstat fallocate pwrite64 fchmod linkat flock renameat close recvfrom "
         "sendto futex epoll_wait mmap").split()
HOSTILE_SECONDS = 1
HOSTILE_GROWTH = 8 << 20

missed = []


def check(what, is_right):
    print(("  ok      " if is_right else "  MISSED  ") + what, flush=True)
    if not is_right:
        missed.append(what)


def ask(port, method, target, fields, body=b"", pieces=()):
    """The status of the answer; 0 if there is none."""
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", "Connection: close", *fields]
    answer = b""
    with socket.create_connection(("127.0.0.1", port), 10) as client:
        try:
            client.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
            for piece in pieces:
                client.sendall(piece)
        except OSError:
            pass  # it has answered already, or is gone
        with contextlib.suppress(OSError):
            while more := client.recv(1 << 16):
                answer += more
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0


def put(port, name, size, chunked=False, pieces=None):
    piece = b"n" * (64 << 10)
    count = size // len(piece)
    if chunked:
        framed = f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
        return ask(port, "PUT", name, ["Transfer-Encoding: chunked"],
                   pieces=[framed] * count + [b"0\r\n\r\n"])
    return ask(port, "PUT", name, [f"Content-Length: {size}"], pieces=[piece] * count)


def share(folder, prefix=()):
    return harness.Server(
        f"{WHARF} serve --writable --port {{port}} {shlex.quote(str(folder))}", prefix=prefix)


def has_only_the_old(folder):
    return os.listdir(folder) == ["old"] and (folder / "old").read_bytes() == OLD


def disk(folder):
    """A file system of 8 MiB."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], check=True)
    try:
        (folder / "old").write_bytes(OLD)
        with share(folder) as server:
            status = ask(server.port, "PUT", "/old",
                         [f"Content-Length: {16 << 20}", "Expect: 100-continue"])
            check(f"16 MiB on 8 MiB, before its body: 507, got {status}", status == 507)
            for chunked in (False, True):
                status = put(server.port, "/old", 16 << 20, chunked)
                check(f"16 MiB on 8 MiB, chunked {chunked}: 507, got {status}", status == 507)
            check("the old file is whole, and nothing is left", has_only_the_old(folder))
            status = put(server.port, "/new", 4 << 20)
            check(f"4 MiB fit afterwards: 201, got {status}", status == 201)
    finally:
        subprocess.run(["umount", folder], check=True)


def limits(folder):
    """A limit of the size of files, and of descriptors."""
    (folder / "old").write_bytes(OLD)
    with share(folder, ["prlimit", f"--fsize={1 << 20}"]) as server:
        for chunked in (False, True):
            status = put(server.port, "/old", 4 << 20, chunked)
            check(f"4 MiB where files have 1 MiB, chunked {chunked}: 413, got {status}",
                  status == 413)
        check("the old file is whole, and nothing is left", has_only_the_old(folder))
        status = put(server.port, "/old", 64 << 10)
        check(f"64 KiB fit: 204, got {status}", status == 204)
    with share(folder) as server:
        (folder / "old").write_bytes(OLD)
        used = len(os.listdir(f"/proc/{server.pid}/fd"))
        # One more for the connection.
        subprocess.run(["prlimit", "--pid", str(server.pid), f"--nofile={used + 1}"], check=True)
        status = put(server.port, "/old", 64 << 10)
        check(f"no descriptor for the file: 503, got {status}", status == 503)
        check("the old file is whole, and nothing is left", has_only_the_old(folder))


def hostile_bodies():
    part = b"--limit\r\n"
    field = b'Content-Disposition: form-data; name="a"; filename="f"\r\n'
    end = b"\r\n--limit--\r\n"
    many = 16 << 20
    yield "20,000 empty parts", part.join(
        [b""] + [b'Content-Disposition: form-data; name="a%d"\r\n\r\n\r\n' % i
                 for i in range(20_000)]) + b"--limit--\r\n"
    yield "20,000 fields in a part", (
        part + field + b"".join(b"X-%d: y\r\n" % i for i in range(20_000)) + b"\r\nz" + end)
    yield "a field of 16 MiB", part + field + b"X: " + b"y" * many + b"\r\n\r\nz" + end
    yield "16 MiB before the first part", b"p" * many + b"\r\n" + part + field + b"\r\nz" + end
    yield "16 MiB of CR", part + field + b"\r\n" + b"\r" * many + end
    yield "16 MiB of almost delimiters", (
        part + field + b"\r\n" + b"\r\n--limi" * (many // 8) + end)
    yield "a name of 1 MiB of escapes", (
        part + b'Content-Disposition: form-data; name="a"; filename="' + b'\\"' * (1 << 19)
        + b'"\r\n\r\nz' + end)
    yield "no last delimiter", part + field + b"\r\nz\r\n"
    yield "a cut head of a part", part + b"Content-Dispo"
    yield "a text of 64 MiB", (
        part + b'Content-Disposition: form-data; name="a"\r\n\r\n' + b"v" * (64 << 20) + end)
    yield "16 MiB after the last part", part + field + b"\r\nz" + end + b"e" * many


def memory(server, name):
    text = pathlib.Path(f"/proc/{server.pid}/status").read_text()
    return int(re.search(name + r":\s+(\d+)", text)[1]) << 10


def forms(_):
    """Bodies that have brought other parsers down."""
    for name, body in hostile_bodies():
        with harness.Server(f"{harness.CONFORMANCE_SERVER} --quiet") as server:
            form = ["Content-Type: multipart/form-data; boundary=limit"]
            warm = b'--limit\r\nContent-Disposition: form-data; name="a"\r\n\r\nz\r\n--limit--\r\n'
            ask(server.port, "POST", "/form", form + [f"Content-Length: {len(warm)}"], warm)
            base = memory(server, "VmHWM")
            started = time.monotonic()
            status = ask(server.port, "POST", "/form", form + [f"Content-Length: {len(body)}"],
                         body)
            seconds = time.monotonic() - started
            growth = memory(server, "VmHWM") - base
        check(f"{name}: {status} after {seconds:.2f} s, {growth / (1 << 20):.1f} MiB more",
              status in (200, 400, 413) and seconds < HOSTILE_SECONDS and growth < HOSTILE_GROWTH)


def kill_once(folder, call, number, target, size):
    """Kills the server at a call of an upload: whether it came to that, and what was wrong."""
    for name in os.listdir(folder):
        (folder / name).unlink()
    (folder / "old").write_bytes(OLD)
    with share(folder) as server:
        tracer = subprocess.Popen(
            ["strace", "-f", "-p", str(server.pid), "-o", os.devnull,
             "-e", f"inject={call}:signal=KILL:when={number}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # It says when it is attached.
        tracer.stderr.readline()
        with contextlib.suppress(OSError):
            put(server.port, target, size)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.process.wait(0.05)
        is_reached = server.process.poll() is not None
        tracer.send_signal(signal.SIGINT)
        tracer.wait()
    wrong = []
    new = b"n" * size
    old = (folder / "old").read_bytes()
    if old != OLD and (target != "/old" or old != new):
        wrong.append("the old file is neither the old nor the new one")
    if target == "/new" and (folder / "new").exists() and (folder / "new").read_bytes() != new:
        wrong.append("there is a part of the new file")
    left = set(os.listdir(folder)) - {"old", "new"}
    if any(not RESERVED.fullmatch(name) for name in left):
        wrong.append(f"left: {left}")
    with share(folder):
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and set(os.listdir(folder)) - {"old", "new"}:
            time.sleep(0.01)
    if set(os.listdir(folder)) - {"old", "new"}:
        wrong.append("left after the next start")
    return is_reached, len(left), wrong


def kill(folder, count=200):
    """SIGKILL when a thread makes a call for the n-th time: the calls of uploads of several sizes."""
    reached = leftovers = 0
    for size in (64 << 10, 1 << 20, 4 << 20, 8 << 20):
        for target in ("/old", "/new"):
            for call in CALLS:
                number = 1
                # Every call of its kind, and of those that are many, ever fewer.
                while number <= 40:
                    is_reached, left, wrong = kill_once(folder, call, number, target, size)
                    for what in wrong:
                        check(f"kill at {call} {number}, {size} bytes to {target}: {what}", False)
                    if not is_reached:
                        break
                    reached += 1
                    leftovers += left
                    number += 1 + number // 4
        if reached >= count:
            break
    check(f"{reached} kills; {leftovers} reserved names were left, and removed by the next start",
          reached >= count and leftovers > 0)


def main():
    parts = {"disk": disk, "limits": limits, "forms": forms, "kill": kill}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=list(parts), choices=[[], *parts])
    for name in parser.parse_args().parts or parts:
        print(parts[name].__doc__.splitlines()[0], flush=True)
        with tempfile.TemporaryDirectory() as folder:
            parts[name](pathlib.Path(folder))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
