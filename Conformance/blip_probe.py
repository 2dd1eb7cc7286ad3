#!/usr/bin/env python3
"""Frames of a careless or hostile peer go to `/blip` over real connections: `blip_probe.py [--server FILE]`.

What each must come to is docs/blip-errors.md, whose table this is: 58 cases of BLIP 3, and those of
BLIP 2 that differ. Needs a Python that has websockets. Ends with 1 if an answer is another one.
"""

import argparse
import asyncio
import shlex
import struct
import sys
import zlib

from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

MSG, RPY, ERR = 0, 1, 2
MORE, COMPRESSED, NOREPLY = 0x40, 0x08, 0x20
SILENCE = 0.4


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def properties(*texts):
    block = b"".join(text if isinstance(text, bytes) else text.encode() for text in
                     (part for text in texts for part in (text, b"\0")))
    return varint(len(block)) + block


ECHO = properties("Profile", "Echo")


class Writer:
    """Frames of BLIP 3: a running checksum, and one stream of deflate."""

    def __init__(self):
        self.sum = 0
        self.deflate = zlib.compressobj(6, zlib.DEFLATED, -15)

    def frame(self, number, flags, payload, packed=None):
        self.sum = zlib.crc32(payload, self.sum)
        head = (number if isinstance(number, bytes) else varint(number)) + \
            (flags if isinstance(flags, bytes) else varint(flags))
        return head + (payload if packed is None else packed) + struct.pack(">I", self.sum)

    def zipped(self, number, flags, payload):
        packed = self.deflate.compress(payload) + self.deflate.flush(zlib.Z_SYNC_FLUSH)
        return self.frame(number, flags | COMPRESSED, payload, packed[:-4])

    def echo(self, number=1, body=b"alive", flags=0):
        return self.frame(number, flags, ECHO + body)


class Reader:
    """Puts messages together and acknowledges them, or not."""

    def __init__(self, version=3, acknowledges=True):
        self.version, self.acknowledges = version, acknowledges
        self.sum, self.inflate = 0, zlib.decompressobj(-15)
        self.bodies, self.counts = {}, {}

    def take(self, frame):
        """What a frame completes: a text for each message; and the answer to be sent, if any."""
        def number(at):
            value = shift = 0
            while True:
                value |= (frame[at] & 0x7F) << shift
                shift += 7
                at += 1
                if not frame[at - 1] & 0x80:
                    return value, at
        message, at = number(0)
        flags, at = number(at)
        kind = flags & 7
        if kind >= 4:
            return None, None
        payload = frame[at:]
        count = len(payload)
        if self.version == 3:
            payload, stated = payload[:-4], payload[-4:]
            if flags & COMPRESSED:
                payload = self.inflate.decompress(payload + b"\0\0\xff\xff")
            self.sum = zlib.crc32(payload, self.sum)
            assert struct.pack(">I", self.sum) == stated, "its checksum is wrong"
        self.bodies[message] = self.bodies.get(message, b"") + payload
        self.counts[message] = self.counts.get(message, 0) + count
        if flags & MORE:
            ack = varint(message) + bytes([0x34 | (1 if kind else 0)]) + varint(self.counts[message])
            return None, ack if self.acknowledges else None
        body = self.bodies.pop(message)
        length, shift, start = 0, 0, 0
        while True:
            length |= (body[start] & 0x7F) << shift
            shift += 7
            start += 1
            if not body[start - 1] & 0x80:
                break
        pairs = body[start:start + length]
        body = body[start + length:]
        if kind == ERR:
            parts = pairs.split(b"\0")
            if self.version == 2:
                code = parts[parts.index(b"\x02") + 1]
            else:
                code = parts[parts.index(b"Error-Code") + 1]
            return f"ERR {message} {code.decode()}", None
        text = body.decode("latin-1") if len(body) < 30 else f"{len(body)} bytes"
        return f"RPY {message} {text}", None


def cases():
    """The frames of each case, and what they come to: replies in any order, or the Close's code."""
    def one(make):
        writer = Writer()
        frames = make(writer)
        return frames if isinstance(frames, list) else [frames]

    alive = ["RPY 1 alive"]
    yield "a plain echo", one(lambda w: w.echo()), alive
    for kind in (3, 6, 7):
        yield f"type {kind} with a checksum", one(
            lambda w, k=kind: [w.frame(1, k, b"\0"), w.echo()]), 1002
    yield "type 7 without a checksum", [bytes([1, 7])], 1002
    yield "a wrong checksum", [bytes([1, 0]) + ECHO + b"x\1\2\3\4"], 1002
    yield "a number is left out", one(lambda w: w.echo(2)), 1002
    yield "number 0", one(lambda w: w.echo(0)), 1002
    yield "a number again", one(lambda w: [w.echo(), w.echo()]), 1002
    yield "number 2^32 + 1", one(lambda w: w.echo(2 ** 32 + 1)), 1002
    yield "a reply to nothing", one(lambda w: w.frame(1, RPY, b"\0")), 1002
    yield "an empty message", [b""], 1002
    yield "a frame of 1 byte", [b"\1"], 1002
    yield "a frame of 3 bytes", [b"\1\0\0"], 1002
    yield "a frame of 5 bytes", [b"\1\0\0\0\0"], 1002
    yield "a number without an end", [b"\x80\x80"], 1002
    yield "a number of 11 bytes", [b"\x80" * 10 + b"\1\0"], 1002
    yield "numbers longer than needed", one(
        lambda w: w.frame(b"\x81\0", b"\x80\0", ECHO + b"nm")), ["RPY 1 nm"]
    yield "a text", ["text"], 1003
    yield "the flag Meta", one(lambda w: w.echo(1, b"meta", 0x80)), ["RPY 1 meta"]
    yield "Meta and Bye", one(
        lambda w: w.frame(1, 0x80, properties("Profile", "Bye"))), ["ERR 1 404"]
    yield "the flag 0x100", one(lambda w: w.echo(1, b"x100", 0x100)), ["RPY 1 x100"]
    yield "an acknowledgement of nothing", one(lambda w: [b"\x09\x34\1", w.echo()]), alive
    yield "an acknowledgement without a count", one(lambda w: [b"\x09\x34", w.echo()]), alive
    yield "properties longer than the message", one(
        lambda w: w.frame(1, 0, b"\xc8\1A\0")), ["ERR 1 400"]
    yield "properties without NUL", one(lambda w: w.frame(1, 0, b"\x03abc")), ["ERR 1 400"]
    yield "an odd number of texts", one(lambda w: w.frame(1, 0, b"\x02A\0")), ["ERR 1 400"]
    yield "a name twice", one(lambda w: w.frame(
        1, 0, properties("Profile", "Echo", "Profile", "None"))), ["RPY 1 "]
    yield "no UTF-8", one(lambda w: w.frame(
        1, 0, properties("Profile", "Echo", "z", b"\xff\xfe"))), ["ERR 1 400"]
    yield "a token of older versions", one(
        lambda w: w.frame(1, 0, properties(b"\1", "Echo"))), ["ERR 1 404"]
    yield "not even a length", one(lambda w: w.frame(1, 0, b"")), ["ERR 1 400"]
    whole = ECHO + b"split body"
    yield "one byte a frame", one(lambda w: [
        w.frame(1, MORE if i < len(whole) - 1 else 0, whole[i:i + 1])
        for i in range(len(whole))]), ["RPY 1 split body"]
    yield "empty frames first", one(lambda w: [
        w.frame(1, MORE, b""), w.frame(1, MORE, b""), w.frame(1, 0, ECHO + b"after")]), [
            "RPY 1 after"]
    yield "two messages in turns", one(lambda w: [
        w.frame(1, MORE, ECHO + b"A"), w.frame(2, MORE, ECHO + b"B"), w.frame(2, 0, b"b"),
        w.frame(1, 0, b"a")]), ["RPY 1 Aa", "RPY 2 Bb"]
    yield "compressed", one(lambda w: w.zipped(1, 0, ECHO + b"zip " * 50)), ["RPY 1 200 bytes"]
    yield "four in one stream of deflate", one(lambda w: [
        w.zipped(n, 0, ECHO + b"The quick brown fox %d" % n) for n in range(1, 5)]), [
            f"RPY {n} The quick brown fox {n}" for n in range(1, 5)]
    yield "compressed and plain frames of a message", one(lambda w: [
        w.zipped(1, MORE, ECHO + b"comp"), w.frame(1, MORE, b" plain "),
        w.zipped(1, 0, b"comp")]), ["RPY 1 comp plain comp"]
    for what, packed in (("nothing", b""), ("00", b"\0")):
        yield f"an empty last frame that is {what}, compressed", one(lambda w, p=packed: [
            w.zipped(1, MORE, ECHO + b"zz"), w.frame(1, COMPRESSED, b"", p), w.echo(2),
            w.zipped(3, 0, ECHO + b"again")]), ["RPY 1 zz", "RPY 2 alive", "RPY 3 again"]
    yield "an empty last frame that is plain", one(lambda w: [
        w.zipped(1, MORE, ECHO + b"zz"), w.frame(1, 0, b"")]), ["RPY 1 zz"]
    yield "no deflate", one(lambda w: w.frame(1, COMPRESSED, b"", b"\xff\xff\xff")), 1002
    for size in (64, 16):
        yield f"{size} MiB in one frame", one(
            lambda w, s=size: w.zipped(1, 0, ECHO + bytes(s << 20))), 1009
    for size in (16384, 32000, 32768, 32769, 70000):
        body = size - 2 - len(ECHO) - 4
        yield f"a frame of {size} bytes", one(
            lambda w, b=body: w.frame(1, 0, ECHO + bytes(b))), [f"RPY 1 {body} bytes"]
    yield "a frame in three fragments", [
        (lambda f: [f[:5], f[5:9], f[9:]])(Writer().echo(1, b"in fragments"))], [
            "RPY 1 in fragments"]
    yield "NoReply", one(lambda w: [w.echo(1, b"x", NOREPLY), w.echo(2)]), ["RPY 2 alive"]
    yield "NoReply and nobody's", one(lambda w: [
        w.frame(1, NOREPLY, properties("Profile", "None")), w.echo(2)]), ["RPY 2 alive"]


def cases2():
    """The same of BLIP 2, where the answer is another one, or the way there."""
    echo = b"\x07\1\0Echo\0"
    yield "a plain echo", [b"\1\0" + echo + b"alive"], ["RPY 1 alive"]
    for kind in (3, 6, 7):
        yield f"type {kind}", [bytes([1, kind]), b"\1\0" + echo + b"alive"], ["RPY 1 alive"]
    yield "a number is left out", [b"\2\0" + echo], 1002
    yield "a number again", [b"\1\0" + echo, b"\1\0" + echo], 1002
    yield "a reply to nothing", [b"\1\1\0"], 1002
    yield "an empty message", [b""], 1002
    yield "flags over 0xFF", [b"\1\x80\2" + echo], 1002
    yield "an unknown token", [b"\1\0\3\x0f\0\0"], ["ERR 1 400"]
    yield "no gzip", [b"\1\x08" + echo + b"\xff\xff"], ["ERR 1 400"]
    yield "gzip that ends early", [b"\1\x08" + echo + zlib.compress(b"x" * 99, wbits=31)[:-9]], [
        "ERR 1 400"]
    yield "gzip", [b"\1\x08" + echo + zlib.compress(b"zipped", wbits=31)], ["RPY 1 zipped"]
    yield "a compressed body of nothing", [b"\1\x08" + echo], ["RPY 1 "]
    yield "Meta and Bye", [b"\1\x80\1\x06\1\0Bye\0"], ["RPY 1 ", 1000]
    yield "Meta and another", [b"\1\x80\1\x05\1\0Hm\0"], ["ERR 1 404"]


async def play(url, protocol, frames, expected):
    import websockets

    version = 3 if protocol == "BLIP_3" else 2
    reader = Reader(version)
    answers = []
    wanted = expected if isinstance(expected, list) else [expected]
    async with websockets.connect(url, subprotocols=[protocol], max_size=None,
                                  compression=None) as socket:
        try:
            for frame in frames:
                await socket.send(frame)
            while len(answers) < len(wanted) + 1:
                # One more than wanted would be wrong, too: a short look for it.
                patience = 10 if len(answers) < len(wanted) else SILENCE
                message = await asyncio.wait_for(socket.recv(), patience)
                answer, acknowledgement = reader.take(message)
                if acknowledgement:
                    await socket.send(acknowledgement)
                if answer:
                    answers.append(answer)
        except websockets.ConnectionClosed:
            answers.append(socket.close_code)
        except asyncio.TimeoutError:
            pass
    if not isinstance(expected, list):
        # What came before the bad frame may have been answered, or not.
        return answers[-1:] == [expected], answers
    return sorted(map(str, answers)) == sorted(map(str, wanted)), answers


async def slow(url):
    """A reply of 1 MB that nobody acknowledges stops, and goes on when somebody does; errors, too."""
    import websockets

    for profile in ("Make", "Fail"):
        async with websockets.connect(url, subprotocols=["BLIP_3"], max_size=None,
                                      compression=None) as socket:
            reader = Reader(acknowledges=False)
            await socket.send(Writer().frame(1, 0, properties(
                "Profile", profile, "count", "1000000")))
            try:
                while True:
                    reader.take(await asyncio.wait_for(socket.recv(), SILENCE))
            except asyncio.TimeoutError:
                pass
            stopped = reader.counts[1]
            reader.acknowledges = True
            answer = None
            kind = 0x35
            await socket.send(b"\1" + bytes([kind]) + varint(stopped))
            while not answer:
                answer, acknowledgement = reader.take(await asyncio.wait_for(socket.recv(), 10))
                if acknowledgement:
                    await socket.send(acknowledgement)
            yield f"{profile} of 1 MB without acknowledgements", 128_000 <= stopped < 150_000, [
                stopped, answer]


async def agree(url):
    import websockets

    for offered, expected in ((["BLIP"], "BLIP"), (["BLIP_3"], "BLIP_3"), (["BLIP_3+Other"], 400),
                              (["foo", "BLIP_3"], "BLIP_3"), (None, 400)):
        try:
            async with websockets.connect(url, subprotocols=offered) as socket:
                answer = socket.subprotocol
        except websockets.InvalidStatus as refusal:
            answer = refusal.response.status_code
        yield f"asking for {offered}", answer == expected, answer


async def probe(url):
    bad = count = 0

    def tell(what, is_good, answers):
        nonlocal bad, count
        count += 1
        if not is_good:
            bad += 1
            print(f"{what}: {answers}")

    for protocol, table in (("BLIP_3", cases()), ("BLIP", cases2())):
        for what, frames, expected in table:
            is_good, answers = await play(url, protocol, frames, expected)
            tell(f"{protocol}: {what}", is_good, answers)
    async for case in slow(url):
        tell(*case)
    async for case in agree(url):
        tell(*case)
    print(f"{count - bad} of {count} cases of BLIP are answered as the table says")
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.PROGRAMS / "conformance-server",
                        help="the program (default: the release build's)")
    options = parser.parse_args()
    with harness.Server(f"{shlex.quote(str(options.server))} --port {{port}} --quiet") as server:
        sys.exit(1 if asyncio.run(probe(f"ws://127.0.0.1:{server.port}/blip")) else 0)


if __name__ == "__main__":
    main()
