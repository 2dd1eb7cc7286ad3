#!/usr/bin/env python3
"""Every allocation of OpenSSL's fails once, while a client is served: the server goes on.

The allocations are those of a handshake, a request, an upload and the farewell, in TLS 1.2 and 1.3,
and of a reload. Ends with 1 if the server dies, does not serve afterwards, or grows.
"""

import mmap
import os
import pathlib
import shutil
import ssl
import socket
import struct
import subprocess
import sys
import tempfile

from report import ROOT
from tls_certificates import Authority

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

GROWTH_MAX = 8 << 20
COUNT_MAX = 20_000


def ask(port, root, version, request, identity=None):
    context = ssl.create_default_context(cafile=root)
    context.maximum_version = version
    if identity:
        context.load_cert_chain(identity)
    with socket.create_connection(("localhost", port), 20) as raw:
        with context.wrap_socket(raw, server_hostname="localhost") as secure:
            secure.sendall(request)
            answer = b""
            while piece := secure.recv(65536):
                answer += piece
            return answer.startswith(b"HTTP/1.1 200")


def message(line, body=b""):
    return (f"{line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
            "\r\n").encode() + body


SCRIPTS = [
    ("TLS 1.3", ssl.TLSVersion.TLSv1_3, message("POST /any", b"x" * 70_000)),
    ("TLS 1.2", ssl.TLSVersion.TLSv1_2, message("POST /any", b"x" * 70_000)),
    ("a reload", ssl.TLSVersion.TLSv1_3, message("POST /tls/reload")),
]


def play(server, root, fault, name, version, request):
    """Fails the first, second ... allocation, until there is none left to fail."""
    harmless = 0
    for number in range(1, COUNT_MAX):
        fault[:] = struct.pack("q", number)
        try:
            harmless += ask(server.port, root, version, request)
        except OSError:
            pass
        left = struct.unpack("q", fault[:])[0]
        fault[:] = struct.pack("q", 0)
        if server.process.poll() is not None:
            harness.fail(f"{name}: the server died at allocation {number}:\n{server.log()}")
        if left > 0:
            print(f"{name}: {number - 1} allocations failed, {harmless - 1} without consequence")
            return
        if number % 50 == 0 and not ask(server.port, root, version, request):
            harness.fail(f"{name}: no answer after allocation {number} failed")
    harness.fail(f"{name}: there is no end of it")


def main():
    with tempfile.TemporaryDirectory() as folder:
        library, shared = pathlib.Path(folder) / "fault.so", pathlib.Path(folder) / "fault"
        compiler = shutil.which("clang") or shutil.which("cc") or "clang"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library,
                        ROOT / "Conformance/tls_memory.c", "-lcrypto"], check=True)
        shared.write_bytes(bytes(8))
        authority = Authority(folder)
        pem = authority.server("server", ["localhost"])
        os.environ["WHARF_MEMORY_FAULT"] = str(shared)
        command = harness.CONFORMANCE_SERVER + f" --quiet --tls {pem}"
        prefix = ("env", f"LD_PRELOAD={library}")
        with open(shared, "r+b") as file, mmap.mmap(file.fileno(), 8) as fault, \
                harness.Server(command, prefix=prefix) as server:
            for script in SCRIPTS:
                ask(server.port, authority.root, script[1], script[2])
            before = server.private_dirty()
            for script in SCRIPTS:
                play(server, authority.root, fault, *script)
            growth = server.private_dirty() - before
            print(f"memory grew by {growth / (1 << 20):.1f} MiB")
            lives = ask(server.port, authority.root, SCRIPTS[0][1], SCRIPTS[0][2])
    sys.exit(0 if lives and growth < GROWTH_MAX else 1)


if __name__ == "__main__":
    main()
