"""The clauses of tus 1.0.0, for resumable.py: each returns None, or what was wrong."""

import asyncio
import base64
import hashlib
import itertools

TUS = "Tus-Resumable: 1.0.0"
TYPE = "Content-Type: application/offset+octet-stream"
NUMBERS = itertools.count()


def path_of(location):
    if location and location.startswith("http"):
        return "/" + location.split("/", 3)[3]
    return location


def name():
    encoded = base64.b64encode(f"tus-{next(NUMBERS)}.bin".encode()).decode()
    kind = base64.b64encode(b"application/octet-stream").decode()
    return f"Upload-Metadata: filename {encoded},filetype {kind}"


async def create(client, context, length, *fields, body=b"", status=201):
    fields = [TUS, name(), f"Upload-Length: {length}", *fields]
    answer, _ = await client.ask("POST", context["target"], fields, body)
    if answer is None or answer.status != status or "location" not in answer.fields:
        raise AssertionError(f"creation: {answer}")
    return path_of(answer.fields["location"]), answer


async def offset(client, url):
    answer, _ = await client.ask("HEAD", url, [TUS])
    return int(answer.fields["upload-offset"]) if answer.status in (200, 204) else answer.status


async def patch(client, url, at, body, *fields):
    answer, _ = await client.ask("PATCH", url, [TUS, TYPE, f"Upload-Offset: {at}", *fields], body)
    return answer


def extensions(answer):
    return (answer.fields.get("tus-extension") or "").replace(" ", "").split(",")


async def announced(client, context):
    answer, _ = await client.ask("OPTIONS", context["target"])
    return extensions(answer)


async def options(client, context):
    """OPTIONS tells Tus-Version and is 200 or 204"""
    answer, _ = await client.ask("OPTIONS", context["target"])
    if answer.status not in (200, 204) or "1.0.0" not in answer.fields.get("tus-version", ""):
        return f"{answer}"


async def version_missing(client, context):
    """another version is 412 with Tus-Version, and nothing is processed"""
    answer, _ = await client.ask(
        "POST", context["target"], ["Tus-Resumable: 0.2.2", "Upload-Length: 1", name()])
    if answer.status != 412 or "tus-version" not in answer.fields:
        return f"{answer}"


async def head(client, context):
    """HEAD tells Upload-Offset and Upload-Length, and is not to be stored"""
    url, _ = await create(client, context, 10)
    answer, _ = await client.ask("HEAD", url, [TUS])
    fields = answer.fields
    if (fields.get("upload-offset"), fields.get("upload-length")) != ("0", "10"):
        return f"{answer}"
    if "no-store" not in fields.get("cache-control", "") or "tus-resumable" not in fields:
        return f"{fields}"


async def head_unknown(client, context):
    """HEAD of an upload that does not exist is 404, 410 or 403, without an offset"""
    url, _ = await create(client, context, 10)
    answer, _ = await client.ask("HEAD", url[:-4] + "0000", [TUS])
    if answer.status not in (403, 404, 410) or "upload-offset" in answer.fields:
        return f"{answer}"


async def append(client, context):
    """PATCH is 204 with the new offset, and bytes follow each other"""
    url, _ = await create(client, context, 6)
    for at, body in ((0, b"abc"), (3, b"def")):
        answer = await patch(client, url, at, body)
        if answer.status != 204 or answer.fields.get("upload-offset") != str(at + 3):
            return f"{answer}"


async def wrong_offset(client, context):
    """PATCH at another offset is 409, and changes nothing"""
    url, _ = await create(client, context, 6)
    await patch(client, url, 0, b"abc")
    answer = await patch(client, url, 2, b"xyz")
    if answer.status != 409 or await offset(client, url) != 3:
        return f"{answer}"


async def missing_offset(client, context):
    """PATCH without an offset, or with a negative one, is refused"""
    url, _ = await create(client, context, 6)
    for fields in ([TUS, TYPE], [TUS, TYPE, "Upload-Offset: -1"]):
        answer, _ = await client.ask("PATCH", url, fields, b"abc")
        if not 400 <= answer.status < 500 or await offset(client, url) != 0:
            return f"{answer}"


async def wrong_type(client, context):
    """PATCH of another media type is 415"""
    url, _ = await create(client, context, 6)
    answer, _ = await client.ask("PATCH", url, [TUS, "Upload-Offset: 0"], b"abc")
    if answer.status != 415 or await offset(client, url) != 0:
        return f"{answer}"


async def unknown_patch(client, context):
    """PATCH of an upload that does not exist is 404, 410 or 403"""
    url, _ = await create(client, context, 6)
    answer = await patch(client, url[:-4] + "0000", 0, b"abc")
    if answer.status not in (403, 404, 410):
        return f"{answer}"


async def too_much(client, context):
    """PATCH past the length is refused, and changes nothing"""
    url, _ = await create(client, context, 3)
    answer = await patch(client, url, 0, b"abcdef")
    if not 400 <= answer.status < 500 or await offset(client, url) != 0:
        return f"{answer}"


async def broken(client, context):
    """what came before a connection broke is kept"""
    url, _ = await create(client, context, 1000)
    fields = [TUS, TYPE, "Upload-Offset: 0"]
    await client.cut("PATCH", url, fields, b"a" * 500, 1000)
    for _ in range(20):
        if await offset(client, url) == 500:
            return None
        await asyncio.sleep(0.1)
    return f"offset {await offset(client, url)}, not 500"


async def stuck(client, context):
    """a newer PATCH does not wait until an older one that is stuck times out"""
    url, _ = await create(client, context, 10)
    fields = [TUS, TYPE, "Upload-Offset: 0"]
    older = asyncio.ensure_future(client.ask("PATCH", url, fields, b"abc", length=10, seconds=8))
    await asyncio.sleep(0.3)
    answer, _ = await client.ask("HEAD", url, [TUS], seconds=3)
    at = int(answer.fields["upload-offset"]) if answer else -1
    answer = await patch(client, url, at, b"0123456789"[at:])
    older.cancel()
    if answer is None or answer.status != 204:
        return f"{answer}"


async def override(client, context):
    """X-HTTP-Method-Override means what it says"""
    url, _ = await create(client, context, 3)
    fields = [TUS, TYPE, "Upload-Offset: 0", "X-HTTP-Method-Override: PATCH"]
    answer, _ = await client.ask("POST", url, fields, b"abc")
    if answer.status != 204 or await offset(client, url) != 3:
        return f"{answer}"


async def resumable_everywhere(client, context):
    """every answer has Tus-Resumable, those to failures too"""
    url, answer = await create(client, context, 3)
    answers = [answer, await patch(client, url, 1, b"a"), await patch(client, url, 0, b"a"),
               (await client.ask("HEAD", url, [TUS]))[0]]
    for each in answers:
        if each.fields.get("tus-resumable") != "1.0.0":
            return f"{each}"


async def creation(client, context):
    """creation: 201 with Location, and Upload-Metadata is told back by HEAD"""
    if "creation" not in await announced(client, context):
        return "not announced"
    metadata = name()
    answer, _ = await client.ask("POST", context["target"], [TUS, metadata, "Upload-Length: 5"])
    url = path_of(answer.fields["location"])
    answer, _ = await client.ask("HEAD", url, [TUS])
    if answer.fields.get("upload-metadata") != metadata.split(": ")[1]:
        return f"{answer}"


async def creation_refused(client, context):
    """creation: neither a length nor a deferred one is 400, and so is a wrong one"""
    for fields in ([], ["Upload-Length: -1"], ["Upload-Length: a"], ["Upload-Defer-Length: 2"]):
        answer, _ = await client.ask("POST", context["target"], [TUS, name(), *fields])
        if not 400 <= answer.status < 500:
            return f"{fields}: {answer}"


async def empty(client, context):
    """creation: a file without bytes is complete at once"""
    url, _ = await create(client, context, 0)
    if await offset(client, url) != 0:
        return "no offset"


async def max_size(client, context):
    """creation: more than Tus-Max-Size is 413"""
    answer, _ = await client.ask("OPTIONS", context["target"])
    size = answer.fields.get("tus-max-size")
    if size is None:
        return "Tus-Max-Size is not announced"
    fields = [TUS, name(), f"Upload-Length: {int(size) + 1}"]
    answer, _ = await client.ask("POST", context["target"], fields)
    if answer.status != 413:
        return f"{answer}"


async def with_upload(client, context):
    """creation-with-upload: the body counts, and the answer tells the offset"""
    if "creation-with-upload" not in await announced(client, context):
        return "not announced"
    url, answer = await create(client, context, 6, TYPE, body=b"abc")
    if answer.fields.get("upload-offset") != "3" or await offset(client, url) != 3:
        return f"{answer}"
    answer = await patch(client, url, 3, b"def")
    if answer.status != 204:
        return f"{answer}"


async def defer(client, context):
    """creation-defer-length: the length follows, once"""
    if "creation-defer-length" not in await announced(client, context):
        return "not announced"
    fields = [TUS, name(), "Upload-Defer-Length: 1"]
    answer, _ = await client.ask("POST", context["target"], fields)
    url = path_of(answer.fields["location"])
    answer, _ = await client.ask("HEAD", url, [TUS])
    if answer.fields.get("upload-defer-length") != "1" or "upload-length" in answer.fields:
        return f"{answer}"
    answer = await patch(client, url, 0, b"abc", "Upload-Length: 5")
    other = await patch(client, url, 3, b"d", "Upload-Length: 6")
    last = await patch(client, url, 3, b"de")
    if (answer.status, last.status) != (204, 204) or other.status < 400:
        return f"{answer} {other} {last}"


async def expiration(client, context):
    """expiration: Upload-Expires is a date"""
    if "expiration" not in await announced(client, context):
        return "not announced"
    url, _ = await create(client, context, 5)
    answer = await patch(client, url, 0, b"abc")
    if not answer.fields.get("upload-expires", "").endswith(" GMT"):
        return f"{answer}"


async def checksum(client, context):
    """checksum: sha1 is known; another digest is 460 and changes nothing; an unknown one is 400"""
    if "checksum" not in await announced(client, context):
        return "not announced"
    options, _ = await client.ask("OPTIONS", context["target"])
    if "sha1" not in options.fields.get("tus-checksum-algorithm", ""):
        return "sha1 is not announced"
    url, _ = await create(client, context, 6)
    right = base64.b64encode(hashlib.sha1(b"abc").digest()).decode()
    wrong = base64.b64encode(hashlib.sha1(b"abd").digest()).decode()
    for digest, status, at in ((f"sha1 {wrong}", 460, 0), ("none AAAA", 400, 0),
                               (f"sha1 {right}", 204, 3)):
        answer = await patch(client, url, 0, b"abc", f"Upload-Checksum: {digest}")
        if answer.status != status or await offset(client, url) != at:
            return f"{digest}: {answer}"


async def checksum_trailer(client, context):
    """checksum-trailer: the digest may follow the body"""
    if "checksum-trailer" not in await announced(client, context):
        return "not announced"
    url, _ = await create(client, context, 3)
    for digest, status in ((hashlib.sha1(b"x").digest(), 460), (hashlib.sha1(b"abc").digest(), 204)):
        text = base64.b64encode(digest).decode()
        body = f"3\r\nabc\r\n0\r\nUpload-Checksum: sha1 {text}\r\n\r\n".encode()
        fields = [TUS, TYPE, "Upload-Offset: 0", "Transfer-Encoding: chunked",
                  "Trailer: Upload-Checksum"]
        answer, _ = await client.ask("PATCH", url, fields, body, length=False)
        if answer.status != status:
            return f"{answer}"


async def termination(client, context):
    """termination: DELETE is 204, and the upload is gone then"""
    if "termination" not in await announced(client, context):
        return "not announced"
    url, _ = await create(client, context, 5)
    answer, _ = await client.ask("DELETE", url, [TUS])
    if answer.status != 204 or await offset(client, url) not in (404, 410):
        return f"{answer}"


async def concatenation(client, context):
    """concatenation: parts become one upload, which can't be appended to"""
    if "concatenation" not in await announced(client, context):
        return "not announced"
    urls = []
    for body in (b"abc", b"defg"):
        url, _ = await create(client, context, len(body), "Upload-Concat: partial")
        answer, _ = await client.ask("HEAD", url, [TUS])
        if answer.fields.get("upload-concat") != "partial":
            return f"{answer}"
        await patch(client, url, 0, body)
        urls.append(url)
    fields = [TUS, name(), "Upload-Concat: final;" + " ".join(urls)]
    answer, _ = await client.ask("POST", context["target"], fields)
    if answer.status != 201:
        return f"{answer}"
    url = path_of(answer.fields["location"])
    answer, _ = await client.ask("HEAD", url, [TUS])
    if answer.fields.get("upload-length") != "7":
        return f"{answer}"
    if not answer.fields.get("upload-concat", "").startswith("final;"):
        return f"{answer}"
    answer = await patch(client, url, 7, b"h")
    if answer.status != 403:
        return f"{answer}"


CLAUSES = [
    options, version_missing, head, head_unknown, append, wrong_offset, missing_offset, wrong_type,
    unknown_patch, too_much, broken, stuck, override, resumable_everywhere, creation,
    creation_refused, empty, max_size, with_upload, defer, expiration, checksum, checksum_trailer,
    termination, concatenation,
]
