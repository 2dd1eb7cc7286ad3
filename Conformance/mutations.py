"""Requests by a grammar that goes wrong now and then: the same seed makes the same requests."""

METHODS = [b"GET", b"POST", b"HEAD", b"OPTIONS", b"PUT", b"DELETE"]
ODD_METHODS = [b"get", b"G@T", b"", b"GE T", b"CONNECT", b"PROPFIND", b"G\x00T", b" GET", b"\xc3\xa9"]
TARGETS = [b"/", b"/a/b?c=d", b"/%20%zz", b"http://a/x", b"http://a"]
ODD_TARGETS = [
    b"*", b"a:80", b"/\x80", b"/a b", b"/#f", b"", b"/\x00", b"//a", b"a", b"https://a:1/",
    b"http://", b"http://u@a/", b"http://a:99999/", b"http://[::1]/", b"HTTP://A/", b"/\t", b"?a",
]
VERSIONS = [b"HTTP/1.1"] * 6 + [b"HTTP/1.0"]
ODD_VERSIONS = [
    b"HTTP/1.2", b"HTTP/2.0", b"http/1.1", b"HTTP/1.1 ", b"HTTP/01.1", b"HTTP/1.", b"HTTP/1.10",
    b"HTTP /1.1", b"", b"ICY/1.0", b"HTTP/0.9", b"HTTP/1,1", b"RTSP/1.0",
]
ENDS = [b"\n", b"\r", b"\r\r\n", b"\n\r", b"\r\n ", b"\r\n\t", b"\r\n\r\n", b" \r\n", b""]
HOSTS = [b"a", b"localhost:80", b"[::1]:80", b"a.example"]
ODD_HOSTS = [b"", b"a b", b"a/b", b"u@a", b"a,b", b"a:x", b"[::1", b"a:99999", b"a\x00", b"a_b"]
NAMES = [b"Content-Length", b"Transfer-Encoding", b"X-A", b"Connection", b"Expect", b"Upgrade"]
ODD_NAMES = [
    b"content-length ", b"X(Y", b"", b" X", b"X\x00", b"Content_Length", b"\tX", b"X\x7f",
    b"TRANSFER-ENCODING", b"Transfer-Encoding\x0b", b"Host", b"X\xe9", b"@", b"Content-Length\x00",
]
COLONS = [b":", b":\t", b" : ", b":  ", b"::", b" ", b"=", b":\r\n "]
VALUES = [b"0", b"5", b"chunked", b"close", b"keep-alive", b"a", b"100-continue", b"websocket"]
ODD_VALUES = [
    b"+5", b"-1", b"5, 5", b"5,6", b"0x5", b"5 5", b"05", b"5_0", b"1e1", b"5;", b"Chunked",
    b"chunked, identity", b"identity", b"gzip, chunked", b"xchunked", b"chunked;a=b", b"\"chunked\"",
    b"chunked\x0b", b"chunked,", b",chunked", b"a\x00b", b"a\x7fb", b"a\rb", b"a\nb", b"\xff", b"",
    b"99999999999999999999", b"9223372036854775808", b"close, chunked", b"upgrade", b"a\x01",
    b"5 ", b"\x0c5", b"\xd9\xa5",
]
BODIES = [b"", b"hello", b"5\r\nhello\r\n0\r\n\r\n", b"5;a=b\r\nhello\r\n0\r\nT: x\r\n\r\n"]
ODD_BODIES = [
    b"05\r\nhello\r\n0\r\n\r\n", b"5 \r\nhello\r\n0\r\n\r\n", b"5\nhello\n0\n\n", b"-1\r\n\r\n",
    b"fffffffffffffffff\r\n", b"5\r\nhelloX\r\n0\r\n\r\n", b"0x5\r\nhello\r\n0\r\n\r\n",
    b"5;\r\nhello\r\n0\r\n\r\n", b"5;a=\r\nhello\r\n0\r\n\r\n", b"5;\"\r\nhello\r\n0\r\n\r\n",
    b"5\r\nhello0\r\n\r\n", b"5\r\r\nhello\r\n0\r\n\r\n", b"5\r\nhello\r\n0\r\nT : x\r\n\r\n",
    b"5\r\nhello\r\n0\r\nT\r\n\r\n", b"\r\n5\r\nhello\r\n0\r\n\r\n", b"5\r\nhello\r\n0\r\n\n",
    b"5;a=\x00\r\nhello\r\n0\r\n\r\n", b"5;a\nb\r\nhello\r\n0\r\n\r\n", b"g\r\n\r\n", b";a\r\n\r\n",
    b"0\r\n a: b\r\n\r\n", b"5,\r\nhello\r\n0\r\n\r\n", b"0\r\nT: a\rb\r\n\r\n", b"0;\r\n\r\n",
]
BYTES = b"\x00\t\n\r \x0b\x7f\x80\xff,:;=\"/0a5"


def pick(random, usual, odd, share):
    """One of the usual ones, or with that probability an odd one."""
    return random.choice(odd if random.random() < share else usual)


def end(random):
    return pick(random, (b"\r\n",), ENDS, 0.01)


def field(random):
    name = pick(random, NAMES, ODD_NAMES, 0.06)
    colon = pick(random, (b": ",), COLONS, 0.04)
    return name + colon + pick(random, VALUES, ODD_VALUES, 0.2)


def framed(random):
    """A body with the field that frames it, mostly right."""
    if random.random() < 0.5:
        return b"Transfer-Encoding: chunked", pick(random, BODIES[2:], ODD_BODIES, 0.4)
    return b"Content-Length: 5", pick(random, (b"hello",), BODIES, 0.2)


def mutated(random, data):
    """The bytes with one taken out, put in, doubled or changed."""
    at = random.randrange(len(data))
    byte = bytes([random.choice(BYTES)])
    kind = random.randrange(4)
    if kind == 0:
        return data[:at] + data[at + 1:]
    if kind == 1:
        return data[:at] + byte + data[at:]
    if kind == 2:
        return data[:at] + data[at:at + 1] + data[at:]
    return data[:at] + byte + data[at + 1:]


def request(random):
    line = b" ".join((
        pick(random, METHODS, ODD_METHODS, 0.03), pick(random, TARGETS, ODD_TARGETS, 0.06),
        pick(random, VERSIONS, ODD_VERSIONS, 0.04)))
    fields = []
    if random.random() < 0.96:
        fields.append(b"Host: " + pick(random, HOSTS, ODD_HOSTS, 0.05))
    if random.random() < 0.02:
        fields.append(b"Host: b")
    body = random.choice(BODIES)
    if random.random() < 0.5:
        frame, body = framed(random)
        fields.append(frame)
    for _ in range(random.randrange(3)):
        fields.append(field(random))
    random.shuffle(fields)
    data = b"\r\n" if random.random() < 0.02 else b""
    data += line + end(random)
    for each in fields:
        data += each + end(random)
    data += end(random) + body
    return mutated(random, data) if random.random() < 0.15 else data
