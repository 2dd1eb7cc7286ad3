#!/usr/bin/env python3
"""Real clients talk to `/ws`: `websocket_clients.py [--server FILE]`.

Runs with a Python that has websockets and aiohttp; what is missing is said to be skipped.
"""

import argparse
import asyncio
import shlex
import sys

from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

TEXTS = ["", "a", "κόσμε", "x" * 125, "y" * 126, "z" * 65_536, "w" * 1_000_000]
BINARIES = [bytes(range(256)) * count for count in (0, 1, 256, 4096)]


def check(what, is_good):
    if not is_good:
        raise SystemExit(f"{what} is not what was expected.")


async def with_websockets(url):
    import websockets

    for compression in (None, "deflate"):
        async with websockets.connect(url, compression=compression, max_size=None) as socket:
            for message in TEXTS + BINARIES:
                await socket.send(message)
                check("an echo", await socket.recv() == message)
            # In fragments, as an iterable is sent.
            await socket.send(["one ", "two ", "three"])
            check("an echo of fragments", await socket.recv() == "one two three")
            for number in range(500):
                await socket.send(str(number))
            for number in range(500):
                check("the order", await socket.recv() == str(number))
            await asyncio.wait_for(await socket.ping(b"x"), 10)
            await socket.close(4321, "enough")
        check("the code of the Close", socket.close_code == 4321)


async def with_aiohttp(url):
    import aiohttp

    async with aiohttp.ClientSession() as session:
        for compress in (0, 15, 9):
            async with session.ws_connect(url, compress=compress, max_msg_size=0) as socket:
                for text in TEXTS:
                    await socket.send_str(text)
                    check("an echo", (await socket.receive()).data == text)
                for data in BINARIES:
                    await socket.send_bytes(data)
                    check("an echo", (await socket.receive()).data == data)
                await socket.close(code=4000)
            check("the code of the Close", socket.close_code == 4000)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.PROGRAMS / "conformance-server",
                        help="the program (default: the release build's)")
    options = parser.parse_args()
    with harness.Server(f"{shlex.quote(str(options.server))} --port {{port}} --quiet") as server:
        for client in (with_websockets, with_aiohttp):
            name = client.__name__.removeprefix("with_")
            try:
                asyncio.run(client(f"ws://127.0.0.1:{server.port}/ws"))
                print(f"{name}: good")
            except ImportError:
                print(f"{name}: skipped: it is not installed")
        status = server.stop()
    return 0 if status == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
