#!/usr/bin/env python3
"""1 GiB received: a raw PUT beside nginx's, then chunked and multipart beside our raw PUT.

The rounds alternate, so that a slow moment of the machine is everybody's. Ends with 1 if a raw PUT
is slower than nginx's, another way slower than four fifths of a raw PUT, or memory grows by 16 MiB.
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

RATIO_MIN = {"raw": 1.0, "chunked": 0.8, "multipart": 0.8, "part by part": 0.8}
GROWTH_MAX = 16 << 20
PIECE = 256 << 10

NGINX = """
worker_processes 1; daemon off; pid nginx.pid; error_log error.log crit;
events { worker_connections 64; }
http {
    access_log off; sendfile on; client_max_body_size 0; client_body_buffer_size 256k;
    client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
    uwsgi_temp_path temp; scgi_temp_path temp;
    server {
        listen 127.0.0.1:@PORT@;
        location / { root files; dav_methods PUT; }
    }
}
"""


def head(method, target, fields):
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", "Connection: close"]
    return ("\r\n".join(lines + fields) + "\r\n\r\n").encode()


def raw(size):
    return "PUT", [f"Content-Length: {size}"], b"", b"", False


def chunked(_):
    return "PUT", ["Transfer-Encoding: chunked"], b"", b"0\r\n\r\n", True


def multipart(size):
    before = (b'--limit\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n'
              b"Content-Type: application/octet-stream\r\n\r\n")
    after = b"\r\n--limit--\r\n"
    length = len(before) + size + len(after)
    return "POST", ["Content-Type: multipart/form-data; boundary=limit",
                    f"Content-Length: {length}"], before, after, False


def send(port, target, size, shape):
    """Seconds until the answer."""
    method, fields, before, after, is_chunked = shape(size)
    piece = bytes(os.urandom(PIECE))
    if is_chunked:
        piece = f"{PIECE:x}\r\n".encode() + piece + b"\r\n"
    with socket.create_connection(("127.0.0.1", port)) as client:
        started = time.monotonic()
        client.sendall(head(method, target, fields) + before)
        for _ in range(size // PIECE):
            client.sendall(piece)
        client.sendall(after)
        answer = client.recv(1 << 16)
        seconds = time.monotonic() - started
    status = int(answer[9:12])
    if not 200 <= status < 300:
        harness.fail(f"{method} {target}: {answer[:80]!r}")
    return seconds


def memory(server):
    """Bytes of it at the most so far."""
    for line in pathlib.Path(f"/proc/{server.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", type=int, default=1 << 30, help="bytes")
    parser.add_argument("--folder", help="where files are stored (the system's for such)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        (folder / "files").mkdir()
        # nginx drops its privileges when root starts it.
        folder.chmod(0o777)
        (folder / "files").chmod(0o777)
        ours = f"{harness.CONFORMANCE_SERVER} --quiet --root {shlex.quote(name)}/files"
        share = (f"{shlex.quote(str(harness.PROGRAMS / 'wharf'))} serve --writable "
                 f"--port {{port}} {shlex.quote(name)}/files")
        sys.exit(measure(folder, ours, share, options))


def measure(folder, ours, share, options):
    class Nginx(harness.Server):
        def __enter__(self):
            (folder / "temp").mkdir(exist_ok=True)
            (folder / "temp").chmod(0o777)
            text = NGINX.replace("@PORT@", str(self.port))
            (folder / "nginx.conf").write_text(text)
            return super().__enter__()

    nginx = Nginx(f"nginx -p {folder} -c nginx.conf -e error.log", cwd=folder)
    with nginx, harness.Server(ours) as forms, harness.Server(share) as drive:
        ways = {
            "nginx": (nginx, "/a", raw), "raw": (drive, "/b", raw),
            "chunked": (drive, "/c", chunked), "multipart": (forms, "/save/d", multipart),
            "part by part": (forms, "/save-parts/e", multipart),
            "form": (forms, "/form?digest=none", multipart),
        }
        for server, target, shape in ways.values():
            send(server.port, target, 8 << 20, shape)
        before = {"drive": memory(drive), "forms": memory(forms)}
        rates = {way: [] for way in ways}
        work = {way: [] for way in ways}
        for _ in range(options.rounds):
            for way, (server, target, shape) in ways.items():
                used = server.cpu()
                rates[way].append(options.size / send(server.port, target, options.size, shape))
                work[way].append(server.cpu_since(used) / 1e9)
        growth = max(memory(drive) - before["drive"], memory(forms) - before["forms"])
    return report(rates, work, growth)


def report(rates, work, growth):
    missed = 0
    print("| way | MiB/s, median | beside | ratio, median of pairs | CPU s |")
    print("|---|---|---|---|---|")
    for way, measured in rates.items():
        beside = {"nginx": None, "raw": "nginx"}.get(way, "raw")
        ratio = 1.0
        if beside:
            ratio = statistics.median(a / b for a, b in zip(measured, rates[beside]))
        if ratio < RATIO_MIN.get(way, 0.8 if beside == "raw" else 0):
            missed += 1
        print(f"| {way} | {statistics.median(measured) / (1 << 20):.0f} | {beside or '-'} "
              f"| {ratio:.2f} | {statistics.median(work[way]):.2f} |")
    print(f"\nMemory grew by {growth / (1 << 20):.1f} MiB at the most.")
    return 1 if missed or growth >= GROWTH_MAX else 0


if __name__ == "__main__":
    main()
