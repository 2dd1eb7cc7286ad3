"""A proxy that loses connections: after some bytes, which a seed decides, it cuts both sides.

Also a program of its own: `cutting_proxy.py --to 8080 --seed 1` prints its port.
"""

import argparse
import asyncio
import contextlib
import random
import socket
import struct


class CuttingProxy:
    """Hands bytes on in both directions, inside `async with`, and cuts some of the connections."""

    def __init__(self, port, seed, least=256 << 10, most=8 << 20, probability=0.7):
        self.target = port
        self.random = random.Random(seed)
        self.range = (least, most)
        self.probability = probability
        self.cut_count = 0

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()

    async def serve(self, reader, writer):
        with contextlib.suppress(asyncio.CancelledError):
            await self.hand_on(reader, writer)

    async def hand_on(self, reader, writer):
        budget = self.random.randint(*self.range) if self.random.random() < self.probability else None
        resets = self.random.random() < 0.5
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        up = asyncio.ensure_future(self.pump(reader, far_writer, budget))
        down = asyncio.ensure_future(self.pump(far_reader, writer, None))
        done, pending = await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
        if up in done and up.result():
            self.cut_count += 1
            for end in (writer, far_writer) if resets else ():
                reset(end)
        elif up in done:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(down, 30)
        for task in pending:
            task.cancel()
        for end in (writer, far_writer):
            end.close()

    @staticmethod
    async def pump(reader, writer, budget):
        """Copies until the end: whether it was ended by its budget."""
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                if budget is not None:
                    budget -= len(data)
                    if budget <= 0:
                        return True
                writer.write(data)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
        return False


def reset(writer):
    """The peer gets a reset instead of an end."""
    end = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--to", type=int, required=True)
    options.add_argument("--seed", type=int, default=1)
    arguments = options.parse_args()
    async with CuttingProxy(arguments.to, arguments.seed) as proxy:
        print(proxy.port, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
