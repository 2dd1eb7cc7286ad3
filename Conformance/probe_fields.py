"""Cases of Http11Probe that a status does not decide: own requests, judged by fields and bodies.

Each case is a list of steps on one connection. A step makes a request out of the response before
it, and the last response is judged: pass, warn or fail.
"""

import re

from report import Result
from wire import Conversation, in_parallel

FILE = "/files/page.html"
IMF_DATE = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT")


def request(line, *fields, body=b""):
    lines = [f"{line} HTTP/1.1", "Host: localhost", *fields, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def passes(condition):
    return "pass" if condition else "fail"


def echoes(body):
    return lambda response: passes(response.status == 200 and response.body == body)


def chunked(body, echo):
    made = request("POST /", "Transfer-Encoding: chunked", body=body)
    return [lambda _: made], echoes(echo)


def once(made, judge):
    return [lambda _: made], judge


def conditional(make_fields, status, judge=lambda response: True):
    """A GET of a file, and another with conditions made of the first answer."""
    steps = [lambda _: request(f"GET {FILE}"),
             lambda first: request(f"GET {FILE}", *make_fields(first.fields))]
    return steps, lambda response: passes(response.status == status and judge(response))


def renames(name, value):
    """A field whose name is nearly that of another: refused or dropped is right, renamed wrong."""
    real = name.replace("_", "-").replace("\t", "-").replace(" ", "").lower()
    made = request("POST /echo", "Content-Length: 11", f"{name}: {value}", body=b"hello world")

    def judge(response):
        if response.status in (400, 501):
            return "pass"
        lines = response.body.decode("latin-1").lower().splitlines()
        if response.status != 200 or f"{real}: {value}" in lines:
            return "fail"
        return "warn" if any(name.lower() in line for line in lines) else "pass"

    return once(made, judge)


def shows_cookies(path, *fields, lines):
    """Each of the lines must stand in the body; a refusal is only worth a warning."""
    def judge(response):
        if response.status == 400:
            return "warn"
        body = response.body.decode("latin-1")
        return passes(response.status == 200 and all(line in body for line in lines))

    return once(request(f"GET {path}", *fields), judge)


def hides(made, hidden):
    """Refused, or answered without the bytes that must not get through."""
    return once(made, lambda response: passes(
        response.status in (400, 405, 501)
        or response.status == 200 and not any(each in response.body for each in hidden)))


def judge_options(response):
    if not 200 <= response.status < 300:
        return "fail"
    return "pass" if "GET" in response.fields.get("allow", "") else "warn"


def judge_no_content(response):
    if response.status != 204:
        return "warn" if response.status == 200 else "fail"
    return passes("content-length" not in response.fields)


GET = request("GET /")
OPTIONS = request("OPTIONS /")

CASES = {
    "COMP-POST-CL-BODY": once(
        request("POST /", "Content-Length: 5", body=b"hello"), echoes(b"hello")),
    "COMP-CHUNKED-BODY": chunked(b"5\r\nhello\r\n0\r\n\r\n", b"hello"),
    "COMP-CHUNKED-MULTI": chunked(b"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", b"hello world"),
    "COMP-CHUNKED-EXTENSION": chunked(b"5;ext=value\r\nhello\r\n0\r\n\r\n", b"hello"),
    "COMP-CHUNKED-TRAILER-VALID": chunked(
        b"5\r\nhello\r\n0\r\nX-Checksum: abc\r\n\r\n", b"hello"),
    "COMP-CHUNKED-HEX-UPPERCASE": chunked(b"A\r\nhelloworld\r\n0\r\n\r\n", b"helloworld"),
    "COMP-HEAD-NO-BODY": once(request("HEAD /"), lambda response: passes(
        response.status == 200 and response.fields.get("content-length") == "2")),
    "COMP-405-ALLOW": once(request("DELETE /"), lambda response: passes(
        response.status == 405 and "GET" in response.fields.get("allow", ""))),
    "COMP-DATE-HEADER": once(GET, lambda response: passes("date" in response.fields)),
    "COMP-DATE-FORMAT": once(GET, lambda response: passes(
        IMF_DATE.fullmatch(response.fields.get("date", "")))),
    "COMP-NO-CL-IN-204": once(OPTIONS, judge_no_content),
    "COMP-OPTIONS-ALLOW": once(OPTIONS, judge_options),
    "COMP-CONTENT-TYPE": once(GET, lambda response: passes(
        response.status == 200 and "/" in response.fields.get("content-type", ""))),
    "COMP-TRACE-SENSITIVE": hides(
        request("TRACE /", "Authorization: Bearer a-secret"), [b"a-secret"]),
    "NORM-UNDERSCORE-CL": renames("Content_Length", "99"),
    "NORM-SP-BEFORE-COLON-CL": renames("Content-Length ", "5"),
    "NORM-TAB-IN-NAME": renames("Content\tLength", "99"),
    "NORM-CASE-TE": renames("TRANSFER-ENCODING", "chunked"),
    "NORM-UNDERSCORE-TE": renames("Transfer_Encoding", "chunked"),
    "COOK-ECHO": shows_cookies("/echo", "Cookie: foo=bar", lines=["Cookie: foo=bar"]),
    "COOK-NUL": hides(request("GET /echo", "Cookie: foo=\0bar"), [b"\0"]),
    "COOK-CONTROL-CHARS": hides(
        request("GET /echo", "Cookie: foo=\1\2\3"), [b"\1", b"\2", b"\3"]),
    "COOK-MULTI-HEADER": shows_cookies(
        "/echo", "Cookie: a=1", "Cookie: b=2", lines=["a=1", "b=2"]),
    "COOK-PARSED-BASIC": shows_cookies("/cookie", "Cookie: foo=bar", lines=["foo=bar\n"]),
    "COOK-PARSED-MULTI": shows_cookies(
        "/cookie", "Cookie: a=1; b=2; c=3", lines=["a=1\n", "b=2\n", "c=3\n"]),
    "CAP-ETAG-304": conditional(lambda first: [f"If-None-Match: {first['etag']}"], 304),
    "CAP-LAST-MODIFIED-304": conditional(
        lambda first: [f"If-Modified-Since: {first['last-modified']}"], 304),
    "CAP-ETAG-IN-304": conditional(
        lambda first: [f"If-None-Match: {first['etag']}"], 304,
        lambda response: "etag" in response.fields and response.body == b""),
    "CAP-INM-PRECEDENCE": conditional(
        lambda first: [f"If-None-Match: {first['etag']}",
                       "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"], 304),
    "CAP-INM-UNQUOTED": conditional(
        lambda first: [f"If-None-Match: {first['etag'].strip(chr(34))}"], 200),
    "CAP-ETAG-WEAK": conditional(lambda first: [f"If-None-Match: W/{first['etag']}"], 304),
}


async def run_case(case, port):
    steps, judge = CASES[case]
    response = None
    method = "HEAD" if case == "COMP-HEAD-NO-BODY" else "GET"
    async with Conversation(port, method) as peer:
        for step in steps:
            await peer.send(step(response))
            response = await peer.answer()
            if response is None:
                return Result(case, "fail", "no answer")
        # A body after the answer to HEAD would be read as the next response, which is none.
        await peer.receive(0.2)
        if len(peer.responses) != len(steps) or peer.responses[-1] != response:
            return Result(case, "fail", "more than was asked for")
    return Result(case, judge(response), str(response.status))


async def run(port):
    return await in_parallel(CASES, lambda case: run_case(case, port))
