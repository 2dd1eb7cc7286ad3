#!/usr/bin/env python3
"""Clauses of tus 1.0 and of the IETF's resumable uploads, one by one, over raw sockets.

Against wharf serve, which it starts (`--server FILE`), or any other server: `--port 8080 --tus /files/`
and `--resumable /upload` say where uploads begin there. It prints what is kept and what is not, and
ends with 1 if a clause is missed.
"""

import argparse
import asyncio
import pathlib
import shlex
import sys
import tempfile

from report import ROOT
from wire import Conversation

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402
import resumable_tus  # noqa: E402
import resumable_ietf  # noqa: E402


class Client:
    """Sends requests, each on a connection of its own."""

    def __init__(self, port):
        self.port = port

    async def ask(self, method, target, fields=(), body=b"", length=None, later=b"", seconds=5):
        """The final response and the interim ones before it.

        `length`: what is announced, if that is not the body's; `later` is sent 0.2 seconds after.
        """
        lines = [f"{method} {target} HTTP/1.1", f"Host: localhost:{self.port}",
                 "Connection: close", *fields]
        if length is None and (body or later or method in ("POST", "PUT", "PATCH")):
            length = len(body) + len(later)
        if length is not None and length is not False:
            lines.append(f"Content-Length: {length}")
        async with Conversation(self.port, method) as conversation:
            await conversation.send(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
            if later:
                await asyncio.sleep(0.2)
                await conversation.send(later)
            final = await conversation.answer(seconds)
            interim = [each for each in conversation.responses if each.status < 200]
            return final, interim

    async def cut(self, method, target, fields, body, length):
        """Sends a part of what was announced, and goes away."""
        lines = [f"{method} {target} HTTP/1.1", f"Host: localhost:{self.port}", *fields,
                 f"Content-Length: {length}"]
        async with Conversation(self.port, method) as conversation:
            await conversation.send(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
            await conversation.receive(0.3, lambda: False)
            return conversation.responses


async def run(suites, port):
    missed = 0
    for name, clauses, context in suites:
        kept = 0
        for clause in clauses:
            try:
                reason = await clause(Client(port), context)
            except Exception as error:  # a server that says nothing at all misses the clause
                reason = f"{type(error).__name__}: {error}"
            kept += reason is None
            if reason is not None:
                print(f"  MISSED  {name}: {clause.__doc__}: {reason}")
        print(f"{name}: {kept} of {len(clauses)} clauses kept", flush=True)
        missed += len(clauses) - kept
    return missed


def suites(options):
    found = []
    if options.tus:
        found.append(("tus 1.0", resumable_tus.CLAUSES, {"target": options.tus}))
    if options.resumable:
        for number in [3, 4, 5, 6, 7, 8, None]:
            name = f"interop {number}" if number else "final form"
            context = {"target": options.resumable, "number": number}
            found.append((f"resumable uploads, {name}", resumable_ietf.clauses(number), context))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.PROGRAMS / "wharf",
                        help="the program (default: the release build's)")
    parser.add_argument("--port", type=int, help="of a server that runs already")
    parser.add_argument("--tus", help="where tus uploads are begun")
    parser.add_argument("--resumable", help="what the IETF's uploads are begun at; {n} is a number")
    options = parser.parse_args()
    if options.port:
        return 1 if asyncio.run(run(suites(options), options.port)) else 0
    options.tus, options.resumable = "/", "/file-{n}"
    program = shlex.quote(str(pathlib.Path(options.server).resolve()))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as state:
        command = (f"{program} serve --writable --max-upload 1G --port {{port}} --state {state} "
                   f"{shlex.quote(folder)}")
        with harness.Server(command) as server:
            missed = asyncio.run(run(suites(options), server.port))
            missed += server.stop() != 0
        left = [path.name for path in pathlib.Path(folder).rglob(".wharf-*.part")]
        if left:
            print(f"  MISSED  parts are left: {left}")
    return 1 if missed or left else 0


if __name__ == "__main__":
    sys.exit(main())
