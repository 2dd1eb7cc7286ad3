"""The clauses of draft-ietf-httpbis-resumable-upload by interop number, for resumable.py.

Each returns None, or what was wrong. `None` as a number is the final form, which has none.
"""

import asyncio
import base64
import hashlib
import itertools
import json

NUMBERS = itertools.count()
PROBLEM = "https://iana.org/assignments/http-problem-types#"


def number(context):
    return context["number"] or 99


def complete(context, is_complete):
    if context["number"] == 3:
        return "Upload-Incomplete: " + ("?0" if is_complete else "?1")
    return "Upload-Complete: " + ("?1" if is_complete else "?0")


def draft(context):
    return [f"Upload-Draft-Interop-Version: {context['number']}"] if context["number"] else []


def told(context, answer):
    """Whether an answer says that the upload is complete."""
    if context["number"] == 3:
        value = answer.fields.get("upload-incomplete")
        return None if value is None else value == "?0"
    value = answer.fields.get("upload-complete")
    return None if value is None else value == "?1"


def path_of(location):
    if location and location.startswith("http"):
        return "/" + location.split("/", 3)[3]
    return location


async def begin(client, context, is_complete, body=b"", fields=(), **more):
    target = context["target"].replace("{n}", f"{context['number']}-{next(NUMBERS)}")
    fields = [*draft(context), complete(context, is_complete), *fields]
    return await client.ask("PUT", target, fields, body, **more)


async def begun(client, context, body=b"", fields=()):
    answer, _ = await begin(client, context, False, body, fields)
    return path_of(answer.fields["location"])


async def append(client, context, url, at, body, is_complete, fields=(), **more):
    fields = [*draft(context), complete(context, is_complete), f"Upload-Offset: {at}", *fields]
    if number(context) >= 6:
        fields.append("Content-Type: application/partial-upload")
    answer, _ = await client.ask("PATCH", url, fields, body, **more)
    return answer


async def head(client, context, url):
    answer, _ = await client.ask("HEAD", url, draft(context))
    return answer


async def offset(client, context, url):
    return int((await head(client, context, url)).fields.get("upload-offset", -1))


async def careful(client, context):
    """careful creation: an empty request that is not complete is 201 with Location"""
    answer, _ = await begin(client, context, False)
    if answer.status != 201 or not answer.fields.get("location") or told(context, answer):
        return f"{answer}"


async def optimistic(client, context):
    """optimistic creation: a whole body is stored, and the answer is the target's"""
    answer, _ = await begin(client, context, True, b"abc")
    if answer.status not in (200, 201, 204) or told(context, answer) is False:
        return f"{answer}"


async def interim(client, context):
    """104 with Location, and the number, comes before the body does"""
    answer, before = await begin(client, context, True, b"", later=b"abc")
    found = [each for each in before if each.status == 104]
    if not found or "location" not in found[0].fields or answer.status >= 400:
        return f"{before} {answer}"
    sent = found[0].fields.get("upload-draft-interop-version")
    if context["number"] and sent != str(context["number"]):
        return f"number {sent}"


async def interim_unknown(client, context):
    """no 104 for a number that is not known"""
    target = context["target"].replace("{n}", f"x-{next(NUMBERS)}")
    fields = ["Upload-Draft-Interop-Version: 99", complete(context, True)]
    _, before = await client.ask("PUT", target, fields, b"abc")
    if any(each.status == 104 for each in before):
        return f"{before}"


async def waits_for_continue(client, context):
    """104 stands in for no 100 (Continue)"""
    _, before = await begin(
        client, context, True, b"", ["Expect: 100-continue"], length=3, later=b"abc")
    if 100 not in [each.status for each in before]:
        return f"{before}"


async def offset_told(client, context):
    """HEAD tells the offset, that it is not complete, and is not to be stored"""
    url = await begun(client, context, b"abc")
    answer = await head(client, context, url)
    if answer.status not in (200, 204) or answer.fields.get("upload-offset") != "3":
        return f"{answer}"
    if told(context, answer) is not False or "no-store" not in answer.fields.get("cache-control", ""):
        return f"{answer}"


async def head_unknown(client, context):
    """HEAD of an upload that does not exist is 404 or 410"""
    url = await begun(client, context)
    answer = await head(client, context, url[:-4] + "0000")
    if answer.status not in (404, 410):
        return f"{answer}"


async def appended(client, context):
    """PATCH appends, and the last one is answered by the target"""
    url = await begun(client, context, b"abc")
    first = await append(client, context, url, 3, b"def", False)
    if not 200 <= first.status < 300 or await offset(client, context, url) != 6:
        return f"{first}"
    last = await append(client, context, url, 6, b"gh", True)
    if not 200 <= last.status < 300:
        return f"{last}"
    if number(context) >= 7 and (told(context, first), told(context, last)) != (False, True):
        return f"{first} {last}"


async def ended_empty(client, context):
    """an empty PATCH can complete an upload"""
    url = await begun(client, context, b"abc")
    answer = await append(client, context, url, 3, b"", True)
    if not 200 <= answer.status < 300:
        return f"{answer}"


async def mismatch(client, context):
    """PATCH at another offset is 409 with the right one, and changes nothing"""
    url = await begun(client, context, b"abc")
    answer = await append(client, context, url, 1, b"xyz", True)
    if answer.status != 409 or answer.fields.get("upload-offset") != "3":
        return f"{answer}"
    if told(context, answer) or await offset(client, context, url) != 3:
        return f"{answer}"


async def mismatch_problem(client, context):
    """its problem document tells both offsets"""
    url = await begun(client, context, b"abc")
    answer = await append(client, context, url, 1, b"xyz", True)
    problem = json.loads(answer.body)
    if problem["type"] != PROBLEM + "mismatching-upload-offset":
        return f"{problem}"
    if (problem["expected-offset"], problem["provided-offset"]) != (3, 1):
        return f"{problem}"


async def completed(client, context):
    """PATCH of a complete upload is refused"""
    url = await begun(client, context, b"abc")
    await append(client, context, url, 3, b"", True)
    answer = await append(client, context, url, 3, b"d", True)
    if not 400 <= answer.status < 500:
        return f"{answer}"


async def broken(client, context):
    """what came before a connection broke is kept"""
    url = await begun(client, context)
    fields = [*draft(context), complete(context, True), "Upload-Offset: 0"]
    if number(context) >= 6:
        fields.append("Content-Type: application/partial-upload")
    await client.cut("PATCH", url, fields, b"a" * 500, 1000)
    for _ in range(20):
        if await offset(client, context, url) == 500:
            return None
        await asyncio.sleep(0.1)
    return f"offset {await offset(client, context, url)}, not 500"


async def broken_creation(client, context):
    """a creation that broke off goes on at the URL of the 104"""
    target = context["target"].replace("{n}", f"{context['number']}-{next(NUMBERS)}")
    answers = await client.cut("PUT", target, [*draft(context), complete(context, True)],
                               b"a" * 500, 1000)
    found = [path_of(each.fields.get("location")) for each in answers if each.status == 104]
    if not found:
        return "no 104"
    await asyncio.sleep(0.3)
    answer = await append(client, context, found[0], 500, b"a" * 500, True)
    if not 200 <= answer.status < 300:
        return f"{answer}"


async def stuck(client, context):
    """a newer request ends an older one that is stuck"""
    url = await begun(client, context)
    older = asyncio.ensure_future(
        append(client, context, url, 0, b"abc", True, length=10, seconds=8))
    await asyncio.sleep(0.3)
    answer, _ = await client.ask("HEAD", url, draft(context), seconds=3)
    at = int(answer.fields["upload-offset"]) if answer else -1
    answer = await append(client, context, url, at, b"0123456789"[at:], True)
    older.cancel()
    if answer is None or not 200 <= answer.status < 300:
        return f"{answer}"


async def cancelled(client, context):
    """DELETE is 2xx, and the upload is gone then"""
    url = await begun(client, context, b"abc")
    answer, _ = await client.ask("DELETE", url, draft(context))
    if not 200 <= answer.status < 300:
        return f"{answer}"
    answer = await head(client, context, url)
    if answer.status not in (404, 410):
        return f"{answer}"


async def wrong_fields(client, context):
    """a malformed offset is 400"""
    url = await begun(client, context)
    for value in ("-1", "a", "1.5", "?1"):
        answer = await append(client, context, url, value, b"abc", True)
        if answer.status != 400 or await offset(client, context, url) != 0:
            return f"{value}: {answer}"


async def media_type(client, context):
    """PATCH of another media type is 415"""
    url = await begun(client, context)
    fields = [*draft(context), complete(context, True), "Upload-Offset: 0",
              "Content-Type: text/plain"]
    answer, _ = await client.ask("PATCH", url, fields, b"abc")
    if answer.status != 415 or await offset(client, context, url) != 0:
        return f"{answer}"


async def length_told(client, context):
    """Upload-Length is kept and told"""
    url = await begun(client, context, b"abc", ["Upload-Length: 6"])
    answer = await head(client, context, url)
    if answer.fields.get("upload-length") != "6":
        return f"{answer}"


async def length_inconsistent(client, context):
    """lengths that contradict each other are 400"""
    url = await begun(client, context, b"abc", ["Upload-Length: 6"])
    for body, is_complete, fields in ((b"d", True, []), (b"defg", False, []),
                                      (b"def", True, ["Upload-Length: 7"])):
        answer = await append(client, context, url, 3, body, is_complete, fields)
        if answer.status != 400 or await offset(client, context, url) != 3:
            return f"{body}: {answer}"
        if number(context) >= 7 and b"inconsistent-upload-length" not in answer.body:
            return f"{answer.body}"


async def limits(client, context):
    """OPTIONS and HEAD tell Upload-Limit, and more than that is 413 with it"""
    target = context["target"].replace("{n}", "limit")
    options, _ = await client.ask("OPTIONS", target, draft(context))
    url = await begun(client, context)
    answer = await head(client, context, url)
    for each in (options, answer):
        if "upload-limit" not in each.fields:
            return f"{each}"
    size = dict(part.strip().split("=") for part in options.fields["upload-limit"].split(","))
    age = "max-age" if number(context) >= 7 else "expires"
    if age not in size:
        return f"{size}"
    if "max-size" in size:
        length = f"Upload-Length: {int(size['max-size']) + 1}"
        answer, _ = await begin(client, context, False, b"", [length])
        if answer.status != 413 or "upload-limit" not in answer.fields:
            return f"{answer}"


async def digests(client, context):
    """a Content-Digest that is another is 400, and changes nothing"""
    url = await begun(client, context)
    for text, status in ((b"abd", 400), (b"abc", 0)):
        value = base64.b64encode(hashlib.sha256(text).digest()).decode()
        fields = [f"Content-Digest: sha-256=:{value}:"]
        answer = await append(client, context, url, 0, b"abc", False, fields)
        if status and answer.status != status or not status and answer.status >= 300:
            return f"{answer}"


def clauses(version):
    """Those that a version has."""
    version = version or 99
    found = [careful, optimistic, interim, interim_unknown, waits_for_continue, offset_told,
             head_unknown, appended, ended_empty, mismatch, completed, broken, broken_creation,
             stuck, cancelled, wrong_fields, digests]
    if version >= 6:
        found += [media_type, length_told, length_inconsistent, limits]
    if version >= 7:
        found += [mismatch_problem]
    return found
