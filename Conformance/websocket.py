#!/usr/bin/env python3
"""Autobahn's cases against both ends of a WebSocket: `websocket.py [--side SIDE] [CASE...]`.

A case is an id or a pattern such as `9.*`; without any, all run that need no long time. Runs with a
Python that has kosoku, which brings the cases; without it, it says that it was skipped.
"""

import argparse
import asyncio
import shlex
import sys

from report import ROOT, Result, report

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

SLOW = ["9.*", "12.*", "13.*"]
SIDES = ("server", "client")


def judge(outcome):
    """What came of a case, in the words of the lists."""
    said = f"{outcome.behavior.value}, {outcome.behavior_close.value}"
    good = outcome.behavior.value in ("OK", "INFORMATIONAL")
    good = good and outcome.behavior_close.value in ("OK", "INFORMATIONAL")
    mild = outcome.behavior.value == "NON-STRICT" and outcome.behavior_close.value == "OK"
    return Result(outcome.case_id, "pass" if good else "warn" if mild else "fail", said)


async def fuzz_server(kosoku, program, include, exclude):
    """The cases' client against our server."""
    with harness.Server(f"{program} --port {{port}} --quiet") as server:
        address = f"ws://127.0.0.1:{server.port}/ws"
        try:
            return await kosoku.run_fuzzingclient(address, include, exclude, concurrency=2)
        except kosoku.FailureError as failure:
            return failure.results


async def fuzz_client(kosoku, program, include, exclude):
    """Our client against the cases' server."""
    port = harness.free_port()
    try:
        async with kosoku.run_fuzzingserver(
                include, exclude, host="127.0.0.1", port=port) as server:
            command = shlex.split(program) + ["--websocket-client", str(port)]
            client = await asyncio.create_subprocess_exec(*command)
            status = await client.wait()
            if status != 0:
                raise SystemExit(f"The client ended with status {status}.")
            return await server.get_result()
    except kosoku.FailureError as failure:
        return failure.results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.PROGRAMS / "conformance-server",
                        help="the program (default: the release build's)")
    parser.add_argument("--side", choices=SIDES, help="only this end")
    parser.add_argument("--all", action="store_true", help="the long cases, too")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    options = parser.parse_args()
    try:
        import kosoku
    except ImportError:
        print("websocket: skipped: no kosoku")
        return 0
    program = shlex.quote(str(options.server))
    include = options.cases or None
    exclude = None if options.all or options.cases else SLOW
    is_good = True
    for side in [options.side] if options.side else SIDES:
        run = fuzz_server if side == "server" else fuzz_client
        results = asyncio.run(run(kosoku, program, include, exclude or None))
        if not report(f"websocket-{side}", [judge(result) for result in results]):
            is_good = False
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
