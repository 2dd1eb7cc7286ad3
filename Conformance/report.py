"""Judging outcomes, with the lists of exceptions that somebody has looked at."""

import dataclasses
import json
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
REVIEWED = pathlib.Path(__file__).resolve().parent / "reviewed"
DATA = pathlib.Path(os.environ.get("WHARF_DATA") or ROOT.parent / "shared")


def cases(name):
    """The cases of a data file, or None if it is not there."""
    path = DATA / "data" / "http" / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None


@dataclasses.dataclass
class Result:
    """What came of one case: a verdict (pass, warn, fail) and the outcome that it rests on."""

    case: str
    verdict: str
    outcome: str


def reviewed(name):
    """The list `reviewed/NAME.txt`: case -> outcome. A line is `case | outcome | reason`."""
    listed = {}
    path = REVIEWED / f"{name}.txt"
    for line in path.read_text().splitlines() if path.exists() else ():
        if not line or line.startswith("#"):
            continue
        case, outcome, reason = (part.strip() for part in line.split(" | ", 2))
        if not reason or case in listed:
            raise ValueError(f"{path.name}: {case} has no reason, or two lines")
        listed[case] = outcome
    return listed


def report(name, results):
    """Prints a line about a suite, and each failure. True: all is well.

    What does not pass must be on the list with just that outcome, and what is on the list must not
    pass: so the list can't rot.
    """
    listed = reviewed(name)
    failures = []
    counts = {"pass": 0, "warn": 0, "fail": 0}
    for result in results:
        counts[result.verdict] += 1
        outcome = listed.pop(result.case, None)
        if result.verdict != "pass" and outcome != result.outcome:
            failures.append(f"{result.verdict}: {result.case}: {result.outcome}")
        elif result.verdict == "pass" and outcome is not None:
            failures.append(f"passes, but is on the list: {result.case}: {result.outcome}")
    failures += [f"on the list, but no such case: {case}" for case in listed]
    if not results:
        failures.append("no case was run")
    print(f"{name}: {len(results)} cases, {counts['pass']} pass, {counts['warn']} warn, "
          f"{counts['fail']} fail; not reviewed: {len(failures)}")
    for failure in failures:
        print(f"    {failure}")
    return not failures
