"""The cases of Http11Probe whose verdict is a matter of the status and of the close.

An outcome is STATUS/open, STATUS/closed, none/closed or none/timeout, and the data says which is
right. What needs fields, a body or an earlier answer to be judged is in probe_fields.py.
"""

import asyncio
import base64

import probe_fields
from report import Result, cases
from wire import Conversation, in_parallel

# Seconds after an answer in which a connection that is to stay open must not be closed.
SETTLING = 0.3
PATIENCE = 10
SILENCE = 1.5


def content(encoded, port):
    return base64.b64decode(encoded).replace(b"{{HOST}}", b"localhost:%d" % port)


def status_of(peer):
    """The first final status; an interim one if there is no other."""
    found = peer.responses
    finals = [each.status for each in found if each.status >= 200]
    return (finals or [each.status for each in found] or [None])[0]


def key(peer):
    status = status_of(peer)
    if status is None:
        return "none/closed" if peer.is_closed else "none/timeout"
    return f"{status}/{'closed' if peer.is_closed else 'open'}"


async def settle(peer, accept):
    """Waits for the close: shortly, or for long if only the close would be right."""
    await peer.receive(SILENCE if accept.get("none/timeout") == "Pass" else PATIENCE,
                       lambda: bool(peer.finals))
    if not peer.is_closed:
        status = status_of(peer)
        is_due = (accept.get(f"{status}/closed") == "Pass"
                  and accept.get(f"{status}/open") != "Pass")
        await peer.receive(PATIENCE if is_due else SETTLING)


async def one_write(case, port):
    """A case of a single request."""
    request = content(case["request_b64"], port)
    async with Conversation(port, "HEAD" if request.startswith(b"HEAD ") else "GET") as peer:
        await peer.send(request)
        await settle(peer, case["accept"])
        return case["accept"].get(key(peer), "Fail"), key(peer)


async def send_step(peer, step, port):
    for part in step["parts"]:
        await peer.send(content(part["b64"], port))
        await asyncio.sleep(part["delay_ms_after"] / 1000)


async def one_step(case, port):
    """A case that counts responses: pipelining, and bodies that hide a request."""
    async with Conversation(port) as peer:
        await send_step(peer, case["steps"][0], port)
        await peer.receive(PATIENCE, lambda: bool(peer.finals))
        await peer.receive(SETTLING)
        status = status_of(peer)
        if status is not None and status not in (400, 404, 501):
            status = 200 if status < 300 else 400
        end = "closed" if peer.is_closed else "open"
        outcome = f"{'null' if status is None else status}x{min(len(peer.finals), 2)}/{end}"
        return case["accept_one_step"].get(outcome, "Fail"), outcome


async def two_steps(case, port):
    """A case of a second request after the first answer; `-`: there was no sending it."""
    statuses = []
    async with Conversation(port) as peer:
        for step in case["steps"]:
            if peer.is_closed:
                statuses.append("-")
                continue
            await send_step(peer, step, port)
            response = await peer.answer()
            statuses.append("null" if response is None else
                            "200" if response.status < 300 else "400")
            await peer.receive(SETTLING)
    outcome = "/".join(statuses)
    return case["accept_two_steps"].get(outcome, "Fail"), outcome


async def run_case(case, port):
    if "request_b64" in case:
        verdict, outcome = await one_write(case, port)
    elif "accept_one_step" in case:
        verdict, outcome = await one_step(case, port)
    else:
        verdict, outcome = await two_steps(case, port)
    return Result(case["id"], verdict.lower() if verdict in ("Pass", "Warn") else "fail", outcome)


def needs_more(case):
    """Whether a status does not decide."""
    return case.get("body_dependent") or any(step["dynamic"] for step in case.get("steps", ()))


async def run(port):
    """The results, or None if the data is missing."""
    corpus = cases("http11probe")
    if corpus is None:
        return None
    missing = {case["id"] for case in corpus if needs_more(case)} ^ set(probe_fields.CASES)
    if missing:
        raise ValueError(f"probe_fields.py and the data differ in {missing}")
    corpus = [case for case in corpus if not needs_more(case)]
    return await in_parallel(corpus, lambda case: run_case(case, port))
