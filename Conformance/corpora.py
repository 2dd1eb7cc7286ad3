"""The corpora of raw requests: own_wire, own_prefixes, smuggler, llhttp.

Each case is one write on a connection of its own. What is right depends on its `expect`:
reject: one error, and the connection closes; accept: 200; one: a single 200, as the rest is its
body; wait: silence, as the request is not whole; either: whatever ends it.
"""

import base64

from report import Result, cases
from wire import Conversation, in_parallel

# Seconds in which nothing may come. What is due is waited for much longer.
QUIET = 0.5
PATIENCE = 10

# Cases without an expectation of their own, and the statuses that are right.
EXACT = {
    # RFC 9112 §9.3.2: what came before the bad request is answered.
    "own/pipeline-good-bad": [200, 400],
    # RFC 9112 §6: content belongs to its request, whatever the method.
    "own/body-on-get-then-next": [200, 200],
    "own/cl0-pipeline": [200, 200],
}


def is_accepting(status):
    """Whether the request was taken for a good one, though nothing may be found for it."""
    return status < 400 or status in (404, 405)


async def converse(port, case):
    """Sends the case and reads what there is to be read."""
    expected = case["expect"]
    request = base64.b64decode(case["b64"])
    async with Conversation(port) as peer:
        await peer.send(request)
        if expected == "wait":
            await peer.receive(QUIET)
        elif expected == "reject":
            # An error closes. What was accepted does not, and what waits says nothing.
            def is_over():
                return bool(peer.statuses) and is_accepting(peer.statuses[-1])

            await peer.receive(QUIET if is_unfinished(request) else PATIENCE, is_over)
            if is_over():
                await peer.receive(QUIET)
        else:
            wanted = len(EXACT.get(case["id"], [0]))
            unsure = expected == "either" and is_unfinished(request)
            await peer.receive(QUIET if unsure else PATIENCE, lambda: len(peer.statuses) >= wanted)
            if expected == "one" or case["id"] in EXACT:
                await peer.receive(QUIET)
        return peer


def is_unfinished(request):
    """Whether no head can be complete."""
    return b"\r\n\r\n" not in request


def judge(case, peer):
    expected = EXACT.get(case["id"]) or case["expect"]
    statuses = peer.statuses
    outcome = ",".join(str(status) for status in statuses) or "none"
    outcome += "/closed" if peer.is_closed else "/open"
    is_silent = not peer.data and not peer.is_closed
    if isinstance(expected, list):
        good = statuses == expected
    elif expected == "reject":
        good = peer.is_closed and len(statuses) <= 1 and not any(map(is_accepting, statuses))
        # A head whose end has not come may be judged at its end.
        good = good or is_silent and is_unfinished(base64.b64decode(case["b64"]))
    elif expected == "accept":
        good = bool(statuses) and set(statuses) == {200}
    elif expected == "one":
        good = statuses == [200]
    elif expected == "wait":
        good = is_silent
    else:
        # Nothing of what we send without being asked to may be an error of ours.
        good = 500 not in statuses and 503 not in statuses
    return Result(case["id"], "pass" if good else "fail", outcome)


async def run(name, port):
    """The results of a corpus, or None if its data is missing."""
    corpus = cases(name)
    if corpus is None:
        return None
    # Vectors of other kinds are for llhttp's lenient modes, which we have none of.
    corpus = [case for case in corpus if case.get("kind", "strict") == "strict"]

    async def one(case):
        return judge(case, await converse(port, case))

    return await in_parallel(corpus, one)
