"""One connection: what is sent, what comes back, and whether the peer has closed it."""

import asyncio
import dataclasses


@dataclasses.dataclass
class Response:
    """A response as far as it has come; `fields` has the names in lower case."""

    status: int
    fields: dict
    body: bytes = b""
    is_whole: bool = True


def responses(data, method="GET"):
    """The responses that the bytes hold, interim ones too; the last may be cut short."""
    found = []
    while b"\r\n\r\n" in data:
        head, _, data = data.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        word, _, rest = lines[0].partition(b" ")
        if word != b"HTTP/1.1" or not rest[:3].isdigit():
            return found + [Response(0, {}, head, False)]
        fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(b":")
            name = name.decode("latin-1").lower()
            value = value.strip().decode("latin-1")
            fields[name] = f"{fields[name]}|{value}" if name in fields else value
        response = Response(int(rest[:3]), fields)
        has_body = method != "HEAD" and response.status >= 200 and response.status not in (204, 304)
        if has_body:
            data = read_body(response, data)
        found.append(response)
    return found


def read_body(response, data):
    """Takes the body off the front of the bytes, and gives back what follows it."""
    if response.fields.get("transfer-encoding") == "chunked":
        while True:
            line, mark, data = data.partition(b"\r\n")
            size = int(line, 16) if mark else None
            if size is None or len(data) < size + 2:
                response.is_whole = False
                return b""
            response.body += data[:size]
            data = data[size + 2:]
            if size == 0:
                return data
    length = int(response.fields.get("content-length", len(data)))
    response.body = data[:length]
    response.is_whole = len(data) >= length
    return data[length:]


class Conversation:
    """A connection to the server under test, inside `async with`."""

    def __init__(self, port, method="GET"):
        self.port = port
        self.method = method
        self.data = b""
        self.is_closed = False

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_):
        self.writer.close()

    @property
    def responses(self):
        return responses(self.data, self.method)

    @property
    def finals(self):
        """The whole responses that are no interim ones."""
        return [each for each in self.responses if each.status >= 200 and each.is_whole]

    @property
    def statuses(self):
        return [each.status for each in self.finals]

    async def send(self, data):
        """Sends; a server that has closed meanwhile is seen when the answer is read."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except OSError:
            pass

    def finish(self):
        """Sends FIN: nothing more will come from here."""
        try:
            self.writer.write_eof()
        except OSError:
            pass

    async def receive(self, seconds, is_enough=lambda: False):
        """Reads until that is enough, until the server closes, or for so many seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not self.is_closed and not is_enough():
            left = deadline - loop.time()
            if left <= 0:
                return
            try:
                piece = await asyncio.wait_for(self.reader.read(65536), left)
            except asyncio.TimeoutError:
                return
            except OSError:
                piece = b""
            self.data += piece
            self.is_closed = not piece

    async def answer(self, seconds=5):
        """The next final response, or None."""
        before = len(self.finals)
        await self.receive(seconds, lambda: len(self.finals) > before)
        return self.finals[before] if len(self.finals) > before else None


async def in_parallel(cases, run, at_once=128):
    """What `run` makes of each case, many at a time, in the order of the cases."""
    places = asyncio.Semaphore(at_once)

    async def one(case):
        async with places:
            return await run(case)

    return await asyncio.gather(*(one(case) for case in cases))
