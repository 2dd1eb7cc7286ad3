"""A bad network between a client and a server, the same for the same seed: tiny pieces, delays,
stalls, ends of one direction, resets. Standard library only."""

import asyncio
import contextlib
import random
import socket
import struct
import threading

PIECES = (1, 7, 64, 1460, 16384, 65536)
DELAYS = (0, 0, 0, 0.001, 0.01)


class LossyProxy:
    """Listens inside a `with` block, on a thread of its own.

    Of the first `bad_count` connections each may break; later ones only delay, so that whoever does
    not give up gets through. `rate` bounds the bytes a second of each direction; None: no bound.
    """

    def __init__(self, upstream, seed, bad_count=6, rate=None):
        self.upstream = upstream
        self.random = random.Random(seed)
        self.bad_count = bad_count
        self.rate = rate
        self.connections = 0
        self.resets = 0
        self.is_away = False

    def __enter__(self):
        ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait()
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.end.set)
        self.thread.join(5)

    def _run(self, ready):
        asyncio.run(self._serve(ready))

    async def _serve(self, ready):
        self.loop = asyncio.get_running_loop()
        self.end = asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self.end.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    def _plan(self, is_bad):
        chance = self.random
        small = chance.choice(PIECES)
        return {
            "piece": small, "delay": 0 if small < 64 else chance.choice(DELAYS),
            "break_at": chance.choice((0, 0, chance.randrange(1, 200_000))) if is_bad else 0,
            "breaks_by_end": chance.random() < 0.3, "small_until": chance.randrange(0, 5000),
        }

    async def _connection(self, reader, writer):
        self.connections += 1
        is_bad = self.connections <= self.bad_count
        plans = self._plan(is_bad), self._plan(is_bad)
        if self.is_away or is_bad and self.random.random() < 0.15:
            return self._reset(writer)
        try:
            there, to_there = await asyncio.open_connection("127.0.0.1", self.upstream)
        except OSError:
            return self._reset(writer)
        both = (writer, to_there)
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(
                self._pump(reader, to_there, plans[0], both),
                self._pump(there, writer, plans[1], both))
        for one in both:
            one.close()

    async def _pump(self, reader, writer, plan, both):
        count = 0
        while data := await reader.read(65536):
            if self.is_away:
                for one in both:
                    self._reset(one)
                return
            place = 0
            while place < len(data):
                size = plan["piece"] if count < plan["small_until"] else 65536
                piece = data[place:place + size]
                place += len(piece)
                count += len(piece)
                writer.write(piece)
                await writer.drain()
                if plan["delay"] and count < plan["small_until"]:
                    await asyncio.sleep(plan["delay"])
                if self.rate:
                    await asyncio.sleep(len(piece) / self.rate)
                if plan["break_at"] and count >= plan["break_at"]:
                    if plan["breaks_by_end"]:
                        for one in both:
                            one.close()
                        return
                    for one in both:
                        self._reset(one)
                    return
        if writer.can_write_eof():
            writer.write_eof()

    def _reset(self, writer):
        self.resets += 1
        with contextlib.suppress(OSError, AttributeError):
            writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
