"""The ideas of h1spec as own requests: parts that wait, what is refused, what is answered."""

from report import Result
from wire import Conversation, in_parallel

QUIET = 0.5
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

# Where a request is cut: nothing may come then, and its rest must still be taken.
CUTS = {
    "after 1 byte of the method": b"G",
    "after the method and its space": b"GET ",
    "inside the target": b"GET /plain",
    "after the target and its space": b"GET /plaintext ",
    "inside the version": b"GET /plaintext HTT",
    "before the CR of the request line": b"GET /plaintext HTTP/1.1",
    "between the CR and LF of the request line": b"GET /plaintext HTTP/1.1\r",
    "after the request line": b"GET /plaintext HTTP/1.1\r\n",
    "inside a field name": b"GET /plaintext HTTP/1.1\r\nHo",
    "after the colon": b"GET /plaintext HTTP/1.1\r\nHost:",
    "after the colon and a space": b"GET /plaintext HTTP/1.1\r\nHost: ",
    "after the value of Host": b"GET /plaintext HTTP/1.1\r\nHost: a.example",
    "between the CR and LF of Host": b"GET /plaintext HTTP/1.1\r\nHost: a.example\r",
    "after the line of Host": b"GET /plaintext HTTP/1.1\r\nHost: a.example\r\n",
    "before the last LF": b"GET /plaintext HTTP/1.1\r\nHost: a.example\r\n\r",
}
WHOLE = b"GET /plaintext HTTP/1.1\r\nHost: a.example\r\n\r\n"

CLIENT_ERROR = range(400, 500)
ERROR = range(400, 600)
SUCCESS = range(200, 300)


def post(*fields, body=b""):
    return b"\r\n".join([b"POST /any HTTP/1.1", b"Host: localhost", *fields, b"", body])


# Request, right statuses, and the body where it matters.
REQUESTS = {
    "a request line without a version": (b"GET /any\r\n\r\n", ERROR, None),
    "GET that expects 100 and has no body": (
        b"GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", SUCCESS, b"OK"),
    "a plain GET": (GET, SUCCESS, b"OK"),
    "Host in odd case, a tab after its colon, an empty field": (
        b"GET / HTTP/1.1\r\nhOsT:\tlocalhost\r\nX-Empty:\r\n\r\n", SUCCESS, b"OK"),
    "brackets in a field name": (
        b"GET / HTTP/1.1\r\nHost: a\r\nX-[a]: 1\r\n\r\n", CLIENT_ERROR, None),
    "no Host, but a length": (
        b"GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", CLIENT_ERROR, None),
    "two Host fields": (
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", CLIENT_ERROR, None),
    "a length below zero and beyond 64 bits": (
        post(b"Content-Length: -99999999999999999999"), CLIENT_ERROR, None),
    "a length below zero": (post(b"Content-Length: -1"), CLIENT_ERROR, None),
    "a length of letters": (post(b"Content-Length: five", body=b"hello"), CLIENT_ERROR, None),
    "a field with only a space": (
        b"GET / HTTP/1.1\r\nHost: a\r\nX-Space: \r\n\r\n", SUCCESS, b"OK"),
    "BEL in a field value": (
        b"GET / HTTP/1.1\r\nHost: a\r\nX-A: a\x07b\r\n\r\n", CLIENT_ERROR, None),
    "HTTP/9.9": (b"GET / HTTP/9.9\r\nHost: a\r\n\r\n", ERROR, None),
    "words before the method": (
        b" and now GET / HTTP/1.1\r\nHost: a\r\n\r\n", ERROR, None),
    "a lone CR before a field name": (
        b"GET / HTTP/1.1\r\nHost: a\r\n\rX-A: 1\r\n\r\n", CLIENT_ERROR, None),
    "POST with a length": (
        post(b"Content-Length: 5", body=b"hello"), SUCCESS, b"hello"),
    "POST with a chunk of size c": (
        post(b"Transfer-Encoding: chunked", body=b"c\r\nHello World!\r\n0\r\n\r\n"),
        SUCCESS, b"Hello World!"),
    "a length and chunks in odd case": (
        post(b"cONTENT-lENGTH: 5", b"tRANSFER-eNCODING: CHUNKED", body=b"0\r\n\r\n"),
        CLIENT_ERROR, None),
}


async def run_cut(name, port):
    part = CUTS[name]
    async with Conversation(port) as peer:
        await peer.send(part)
        await peer.receive(QUIET)
        if peer.data or peer.is_closed:
            return Result(name, "fail", "answered early" if peer.data else "closed early")
        await peer.send(WHOLE.removeprefix(part))
        response = await peer.answer()
        good = response is not None and response.body == b"Hello, World!"
        return Result(name, "pass" if good else "fail", "waits, then " + str(peer.statuses))


async def run_request(name, port):
    request, statuses, body = REQUESTS[name]
    async with Conversation(port) as peer:
        await peer.send(request)
        response = await peer.answer(10)
        if response is None:
            return Result(name, "fail", "no answer")
        good = response.status in statuses and (body is None or response.body == body)
        return Result(name, "pass" if good else "fail", f"{response.status} {response.body[:40]}")


async def run(port):
    results = await in_parallel(CUTS, lambda name: run_cut(name, port))
    return results + await in_parallel(REQUESTS, lambda name: run_request(name, port))
