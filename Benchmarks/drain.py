#!/usr/bin/env python3
"""SIGTERM under load: whoever has asked is answered, and the server ends in time.

Clients on kept connections ask without a pause; then the server gets SIGTERM. A request has
failed if it is not answered whole, unless the server had said that it would close (`Connection:
close` on the answer before, or its FIN was there before the request was written). A request that
the server closed upon without having read a byte of it counts apart: HTTP/1.1 cannot rule it out
(RFC 9112 section 9.6), a client may send it again, but a server can make it rare. With `--strict`
it is a failure, too.

Ends with 1 if a request has failed, or if the server takes longer than the limit or ends with
another status than 0.
"""

import argparse
import collections
import select
import signal
import socket
import struct
import sys
import time

import harness

SECONDS_MAX = 5
CLOSED, CLOSE_WAIT = 7, 8  # tcpi_state: after a reset; after the peer's FIN

# What the clients ask for, in turn: quick, slow and long exchanges are all under way at SIGTERM.
PATHS = ["/plaintext"] * 5 + ["/pool", "/sleep?ms=300", "/stream?bytes=3000000"]


class ResponseReader:
    """Tells where a response ends; understands Content-Length and chunked, no trailers."""

    def __init__(self):
        self.data = bytearray()
        self.left = None  # bytes of the body, or of the chunk
        self.is_chunked = False
        self.closes = False
        self.has_begun = False

    def feed(self, piece):
        """Returns True once the response is whole."""
        self.data += piece
        self.has_begun = True
        if self.left is None and not self.read_head():
            return False
        return self.read_chunks() if self.is_chunked else self.read_body()

    def read_head(self):
        end = self.data.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self.data[:end]).lower().split(b"\r\n")
        del self.data[:end + 4]
        fields = dict(line.split(b":", 1) for line in head[1:])
        if not head[0].startswith(b"http/1.1 200"):
            raise ValueError(head[0].decode(errors="replace"))
        self.closes = b"close" in fields.get(b"connection", b"")
        self.is_chunked = b"chunked" in fields.get(b"transfer-encoding", b"")
        if not self.is_chunked and b"content-length" not in fields:
            raise ValueError("an answer without a length")
        self.left = 0 if self.is_chunked else int(fields[b"content-length"])
        return True

    def read_body(self):
        self.left -= len(self.data)
        self.data.clear()
        if self.left < 0:
            raise ValueError("more than the length says")
        return self.left == 0

    def read_chunks(self):
        # `left` counts the rest of a chunk with its line break; 0: a size is next.
        while self.data:
            if self.left > 0:
                count = min(self.left, len(self.data))
                del self.data[:count]
                self.left -= count
                continue
            end = self.data.find(b"\r\n")
            if end < 0:
                return False
            size = int(self.data[:end].split(b";")[0], 16)
            if size == 0:
                return self.data[end + 2:] == b"\r\n"
            del self.data[:end + 2]
            self.left = size + 2
        return False


class Client:
    def __init__(self, port, path):
        self.path = path
        self.message = harness.request(path, port)
        self.connection = socket.create_connection(("127.0.0.1", port), 10)
        self.connection.setblocking(False)
        self.reader = None
        self.fin_was_there = False
        self.answer_count = 0
        self.sent_at = 0.0

    def ask(self):
        """Sends a request; returns False if the server has closed before."""
        try:
            if self.connection.recv(1, socket.MSG_PEEK) == b"":
                return False
        except BlockingIOError:
            pass
        self.reader = ResponseReader()
        self.sent_at = time.monotonic()
        self.connection.send(self.message)
        # The FIN may have come between the look and the write: then the state tells.
        self.fin_was_there = self.state() == CLOSE_WAIT
        return True

    def state(self):
        return struct.unpack_from("B", self.connection.getsockopt(socket.IPPROTO_TCP,
                                                                  socket.TCP_INFO, 8))[0]

    def was_reset(self):
        deadline = time.monotonic() + 0.1
        while self.state() != CLOSED and time.monotonic() < deadline:
            time.sleep(0.005)
        return self.state() == CLOSED

    def answer(self):
        """Reads what is there. Returns how the connection goes on."""
        try:
            piece = self.connection.recv(1 << 18)
        except BlockingIOError:
            return "waits"
        except ConnectionResetError:
            return self.ended("reset")
        if not piece:
            return self.ended("closed")
        try:
            if not self.reader.feed(piece):
                return "waits"
        except ValueError as error:
            return f"failed: {self.path} got a wrong answer: {error}"
        self.answer_count += 1
        if self.reader.closes:
            return "ended: announced by Connection: close"
        self.reader = None
        return "answered"

    def ended(self, how):
        if self.reader is None:
            return "ended: between two requests"
        if self.reader.has_begun:
            return f"failed: {how} within an answer to {self.path}"
        if self.fin_was_there:
            return "ended: the FIN came before the request"
        # A request that meets a closed socket, or one closed with unread bytes, is answered with
        # a reset: then nobody has read it. The reset may come right behind the FIN.
        if how == "reset" or self.was_reset():
            return f"unread: reset before the request for {self.path} was read"
        return f"failed: closed without an answer to {self.path}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=2, help="of load before SIGTERM")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--paths", default=",".join(PATHS))
    parser.add_argument("--server", default=harness.CONFORMANCE_SERVER,
                        help="the command, with {port}")
    options = parser.parse_args()

    print(f"SIGTERM under load from {options.clients} clients. {harness.machine()}.\n")
    print("| round | answers before | after SIGTERM | failed | unread | exit after s | status |")
    print("|---|---|---|---|---|---|---|")
    broken = False
    outcomes = collections.Counter()
    for number in range(1, options.rounds + 1):
        with harness.Server(options.server) as server:
            result = run_round(options, server)
        outcomes.update(result["outcomes"])
        failed, unread = (
            sum(n for how, n in result["outcomes"].items() if how.startswith(kind))
            for kind in ("failed", "unread"))
        print(f"| {number} | {result['before']:,} | {result['after']:,} | {failed} | {unread} | "
              f"{result['seconds']:.2f} | {result['status']} |", flush=True)
        if unread and options.strict:
            broken = True
        if failed or result["seconds"] > SECONDS_MAX or result["status"] != 0:
            broken = True
    print("\nHow the connections went:\n")
    for how, count in sorted(outcomes.items()):
        print(f"- {count} {how}")
    if broken:
        harness.fail(f"A request failed, or the exit took over {SECONDS_MAX} s or had a status.")


def run_round(options, server):
    paths = options.paths.split(",")
    poller = select.epoll()
    clients = {}
    outcomes = collections.Counter()
    for index in range(options.clients):
        client = Client(server.port, paths[index % len(paths)])
        clients[client.connection.fileno()] = client
        poller.register(client.connection, select.EPOLLIN)
        client.ask()
    everyone = list(clients.values())

    def finish(client, how):
        outcomes[how] += 1
        del clients[client.connection.fileno()]
        poller.unregister(client.connection)
        client.connection.close()

    def step():
        for descriptor, _ in poller.poll(0.05):
            client = clients[descriptor]
            how = client.answer()
            while how == "answered":
                try:
                    how = "waits" if client.ask() else "ended: between two requests"
                except (BrokenPipeError, ConnectionResetError):
                    how = "ended: the FIN came before the request"
            if how != "waits":
                finish(client, how)

    load_end = time.monotonic() + options.seconds
    while time.monotonic() < load_end:
        step()
    if outcomes:
        harness.fail(f"connections ended before SIGTERM: {dict(outcomes)}\n{server.log()}")
    before = sum(client.answer_count for client in everyone)

    server.process.send_signal(signal.SIGTERM)
    sent = time.monotonic()
    ended = None
    while time.monotonic() < sent + SECONDS_MAX + 5 and (clients or ended is None):
        step()
        if ended is None and server.process.poll() is not None:
            ended = time.monotonic() - sent
    for client in list(clients.values()):
        finish(client, f"failed: {client.path} has no answer and no end")
    poller.close()
    return {
        "before": before,
        "after": sum(client.answer_count for client in everyone) - before,
        "seconds": ended if ended is not None else time.monotonic() - sent,
        "status": server.process.poll(),
        "outcomes": outcomes,
    }


if __name__ == "__main__":
    sys.exit(main())
