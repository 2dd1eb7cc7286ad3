#!/usr/bin/env python3
"""Clients that misuse TLS: others are served meanwhile, and they are closed on time.

Then 1,000 idle connections, which may take 40 KiB each, and reloads under load, which may fail no
request. Ends with 1 if a bound is missed.
"""

import os
import pathlib
import random
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

from report import ROOT
from tls_certificates import Authority

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

HANDSHAKE_LIMIT = 10
IDLE_COUNT = 1_000
IDLE_MAX = 40 * 1024
STALL_COUNT = 200
RELOAD_SECONDS = 10

failed = 0


def see(name, is_so, more=""):
    global failed
    failed += not is_so
    print(f"{'ok' if is_so else 'FAILED':6} {name} {more}", flush=True)


class Client:
    def __init__(self, port, root):
        self.port = port
        self.context = ssl.create_default_context(cafile=root)

    def plain(self):
        return socket.create_connection(("localhost", self.port), 30)

    def secure(self):
        return self.context.wrap_socket(self.plain(), server_hostname="localhost")

    def is_served(self, connection=None):
        with connection or self.secure() as secure:
            secure.sendall(b"GET /plaintext HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            answer = b""
            while piece := secure.recv(65536):
                answer += piece
        return answer.endswith(b"Hello, World!")

    def hello(self):
        """The first flight of a handshake."""
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        half = self.context.wrap_bio(incoming, outgoing, server_hostname="localhost")
        try:
            half.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return outgoing.read()


def closed_after(connection, seconds_max):
    """Seconds until the server closes; None if it has not."""
    started = time.monotonic()
    connection.settimeout(seconds_max)
    try:
        while connection.recv(65536):
            pass
    except socket.timeout:
        return None
    except OSError:
        pass
    return time.monotonic() - started


def stalls(client):
    hello = client.hello()
    waiting = []
    for number in range(STALL_COUNT):
        connection = client.plain()
        connection.sendall(hello[:number % len(hello)])
        waiting.append(connection)
    started = time.monotonic()
    see(f"others are served beside {STALL_COUNT} handshakes that stall",
        all(client.is_served() for _ in range(20)), f"({time.monotonic() - started:.2f} s for 20)")
    times = [closed_after(connection, HANDSHAKE_LIMIT + 5) for connection in waiting]
    see("handshakes that stall are closed on time",
        all(one is not None for one in times)
        and HANDSHAKE_LIMIT - 2 < time.monotonic() - started < HANDSHAKE_LIMIT + 3,
        f"({time.monotonic() - started:.1f} s)")


def garbage(client):
    source = random.Random(7)
    hello = client.hello()
    late = 0
    for number in range(300):
        with client.plain() as connection:
            if number % 3 == 0:
                data = source.randbytes(source.randrange(1, 2000))
            else:
                # A flight in which bytes are changed.
                data = bytearray(hello)
                for _ in range(source.randrange(1, 6)):
                    data[source.randrange(len(data))] = source.randrange(256)
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                continue
            late += closed_after(connection, 5) is None
    see("garbage, and flights with changed bytes, are closed", late == 0, f"({late} were not)")
    see("others are served after that", client.is_served())


def cuts(client):
    hello = client.hello()
    for number in range(300):
        connection = client.plain()
        connection.sendall(hello[:number * len(hello) // 300])
        if number % 2:
            # RST.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    for _ in range(100):
        secure = client.secure()
        secure.sendall(b"GET /stream?bytes=5000000 HTTP/1.1\r\nHost: a\r\n\r\n")
        secure.recv(1000)
        os.close(secure.detach())
    see("others are served after 400 cuts", client.is_served())


def bytewise(client):
    """A client whose records come byte by byte."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    half = client.context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    with client.plain() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def pump(step):
            while True:
                try:
                    return step()
                except ssl.SSLWantReadError:
                    for byte in outgoing.read():
                        connection.sendall(bytes([byte]))
                    piece = connection.recv(65536)
                    incoming.write(piece) if piece else incoming.write_eof()

        pump(half.do_handshake)
        half.write(b"POST /any HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n" + b"x" * 3000)
        answer = b""
        while not answer.endswith(b"x" * 3000):
            answer += pump(lambda: half.read(65536))
    see("records that come byte by byte are understood", b" 200 " in answer)


def renegotiation(client, root):
    run = subprocess.run(
        ["openssl", "s_client", "-connect", f"localhost:{client.port}", "-CAfile", str(root),
         "-tls1_2"], input=b"R\n", capture_output=True, timeout=60)
    text = run.stderr + run.stdout
    see("renegotiation is refused", b"no renegotiation" in text, "" if b"no reneg" in text else
        text[-300:].decode(errors="replace"))


def idle(client, server):
    harness.raise_descriptor_limit(2 * IDLE_COUNT + 100)

    def crowd():
        connections = [client.secure() for _ in range(IDLE_COUNT)]
        for connection in connections:
            connection.sendall(b"GET /plaintext HTTP/1.1\r\nHost: a\r\n\r\n")
            connection.recv(4096)
        return connections

    client.is_served()
    before = server.private_dirty()
    connections = crowd()
    time.sleep(0.5)
    each = (server.private_dirty() - before) / IDLE_COUNT
    see(f"{IDLE_COUNT} idle connections take at most {IDLE_MAX >> 10} KiB each", each <= IDLE_MAX,
        f"({each / 1024:.1f} KiB)")
    for connection in connections:
        connection.close()


def reloads(client):
    failures, counts = [], [0, 0]
    ends = time.monotonic() + RELOAD_SECONDS

    def load():
        while time.monotonic() < ends:
            try:
                secure = client.secure()
                for _ in range(5):
                    secure.sendall(b"GET /plaintext HTTP/1.1\r\nHost: a\r\n\r\n")
                    if not secure.recv(4096).endswith(b"Hello, World!"):
                        raise OSError("a wrong answer")
                    counts[0] += 1
                secure.close()
            except OSError as error:
                failures.append(repr(error))

    threads = [threading.Thread(target=load) for _ in range(8)]
    for thread in threads:
        thread.start()
    while time.monotonic() < ends:
        with client.secure() as secure:
            secure.sendall(b"POST /tls/reload HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
            counts[1] += b"reloaded" in secure.recv(4096)
    for thread in threads:
        thread.join()
    see(f"{counts[1]} reloads under load fail none of {counts[0]} requests",
        not failures and counts[0] > 100 and counts[1] > 10, f"{failures[:3]}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(folder)
        pem = authority.server("server", ["localhost"])
        harness.raise_descriptor_limit(2 * IDLE_COUNT + 100)
        with harness.Server(harness.CONFORMANCE_SERVER + f" --quiet --tls {pem}") as server:
            client = Client(server.port, authority.root)
            see("a client is served", client.is_served())
            idle(client, server)
            bytewise(client)
            renegotiation(client, authority.root)
            garbage(client)
            cuts(client)
            stalls(client)
            reloads(client)
            time.sleep(1)
            left = server.descriptor_count()
            see("no descriptor is left", left < 30, f"({left})")
            alive = server.process.poll() is None and client.is_served()
            see("the server lives", alive)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
