#!/usr/bin/env python3
"""Clients fight over files of `wharf serve`, which is killed on the way: `webdav_fight.py [--seconds 60]`.

Two lock, write and unlock one file, fifty write another without asking, two move and copy a folder with
a property. Meanwhile the server is killed (SIGKILL) and started again, again and again. Ends with 1 if a
file is ever torn or empty, a lock that was granted is lost or broken, somebody writes without it, the
store says something else than the tree, something is left over, or two processes use one state.
"""

import argparse
import http.client
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

LOCKINFO = (b'<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>'
            b"<D:locktype><D:write/></D:locktype></D:lockinfo>")
PROPERTY = b'<n:mark xmlns:n="urn:fight">%s</n:mark>'
WRITERS = 50


def content(name, number, size):
    """A text that says of itself whether it is whole."""
    body = (f"{name} {number} ".encode() * (size // 8 + 1))[:size]
    return b"%08x" % zlib.crc32(body) + body


def is_whole(data):
    return len(data) > 8 and data[:8] == b"%08x" % zlib.crc32(data[8:])


class Fight:
    def __init__(self, server, folder, state):
        self.command = [str(server), "serve", "--writable", "--state", str(state), "--log-level", "error",
                        "--port", str(harness.free_port()), str(folder)]
        self.port = int(self.command[-2])
        self.folder, self.state = pathlib.Path(folder), pathlib.Path(state)
        self.findings = []
        self.counts = {}
        self.mutex = threading.Lock()
        self.is_over = threading.Event()
        self.log = tempfile.TemporaryFile()

    def find(self, text):
        with self.mutex:
            self.findings.append(text)

    def count(self, what):
        with self.mutex:
            self.counts[what] = self.counts.get(what, 0) + 1

    # The server

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log, preexec_fn=harness.end_with_parent)
        for _ in range(400):
            try:
                self.ask("OPTIONS", "/")
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.02)
        self.log.seek(0)
        harness.fail(f"the server does not start: {self.log.read()[-2000:]!r}")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.count("kills")

    def ask(self, method, path, body=None, fields=None):
        """Status, fields and body; OSError if the server is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, fields or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def insist(self, method, path, body=None, fields=None):
        """The same, again and again while there is no server; and whether it was asked once."""
        is_first = True
        while not self.is_over.is_set():
            try:
                return self.ask(method, path, body, fields), is_first
            except OSError:
                is_first = False
                time.sleep(0.05)
        return None, False

    # The fighters

    def locker(self, name):
        """Locks, writes twice, unlocks; nobody else may come between."""
        number = 0
        while not self.is_over.is_set():
            answer, is_first = self.insist("LOCK", "/locked", LOCKINFO, {"Timeout": "Second-3600"})
            if answer is None:
                return
            status, fields, _ = answer
            if status == 423:
                # One that was granted to a client whose answer was lost with a killed server.
                self.release_orphans()
                continue
            if status not in (200, 201):
                return self.find(f"LOCK: {status}")
            token = fields["Lock-Token"]
            with self.mutex:
                if self.held is not None:
                    self.findings.append(f"{name} was granted what {self.held} holds")
                self.held = token
            for _ in range(2):
                number += 1
                body = content(name, number, random.choice((100, 5000, 300_000)))
                answer, is_first = self.insist("PUT", "/locked", body, {"If": f"({token})"})
                if answer and answer[0] not in (201, 204):
                    self.find(f"{name} holds the lock, and is answered {answer[0]} to PUT")
                if answer is None:
                    return
                self.count("locked writes")
            answer, _ = self.insist("PUT", "/locked", b"x")
            if answer and answer[0] != 423:
                self.find(f"somebody without the lock is answered {answer[0]}")
            with self.mutex:
                self.held = None
            answer, is_first = self.insist("UNLOCK", "/locked", None, {"Lock-Token": token})
            if answer and answer[0] != 204 and (is_first or answer[0] != 409):
                self.find(f"UNLOCK: {answer[0]}")

    def release_orphans(self):
        answer, _ = self.insist(
            "PROPFIND", "/locked", b'<propfind xmlns="DAV:"><prop><lockdiscovery/></prop></propfind>',
            {"Depth": "0"})
        with self.mutex:
            held = self.held
            tokens = re.findall(rb"<D:locktoken><D:href>([^<]+)", answer[2]) if answer else []
            for token in tokens:
                coded = f"<{token.decode()}>"
                if held is None and coded not in self.known:
                    self.known.add(coded)
                    self.orphan = (coded, time.monotonic())
        if self.orphan and time.monotonic() - self.orphan[1] > 1 and held is None:
            self.insist("UNLOCK", "/locked", None, {"Lock-Token": self.orphan[0]})
            self.orphan = None
            self.count("locks whose answer was lost")
        time.sleep(0.01)

    def writer(self, name):
        number = 0
        while not self.is_over.is_set():
            number += 1
            self.insist("PUT", "/free", content(name, number, random.choice((10, 4096, 70_000))))
            answer, _ = self.insist("GET", "/free")
            if answer and answer[0] == 200 and not is_whole(answer[2]):
                self.find(f"a torn file was served: {len(answer[2])} bytes")
            self.count("free writes")

    def mover(self):
        """A folder whose file has a property goes to and fro, and is copied."""
        while not self.is_over.is_set():
            here, there = ("m1", "m2") if (self.folder / "m1").is_dir() else ("m2", "m1")
            self.insist("MOVE", f"/{here}", None, {"Destination": f"/{there}"})
            self.insist("COPY", f"/{there}", None, {"Destination": "/copied"})
            if random.random() < 0.3:
                self.insist("DELETE", "/copied")
            self.count("moves")

    # The judgement

    def property(self, path):
        status, _, body = self.ask(
            "PROPFIND", path,
            b'<propfind xmlns="DAV:"><prop><m:mark xmlns:m="urn:fight"/></prop></propfind>',
            {"Depth": "0"})
        found = re.search(rb">([a-z]+)</n:mark>", body)
        return found.group(1) if status == 207 and found else None

    def judge_tree(self):
        """Right after a start, when nobody does anything yet."""
        for name in ("locked", "free"):
            path = self.folder / name
            if path.exists() and path.stat().st_size and not is_whole(path.read_bytes()):
                self.find(f"{name} is torn: {path.stat().st_size} bytes")
        places = [name for name in ("m1", "m2") if (self.folder / name).is_dir()]
        if len(places) != 1:
            self.find(f"the folder that is moved is at {places}")
        for name in places + [name for name in ("copied",) if (self.folder / name).is_dir()]:
            if self.property(f"/{name}/file") != b"kept":
                self.find(f"the property of {name}/file is lost")
        with self.mutex:
            held = self.held
        if held:
            status, _, _ = self.ask("PUT", "/locked", b"x")
            if status != 423:
                self.find(f"a lock is lost: {status}")

    def judge_second_process(self):
        command = [*self.command]
        command[command.index("--port") + 1] = "0"
        second = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=20,
                                check=False)
        if second.returncode == 0 or b"another process uses it" not in second.stderr:
            self.find(f"a second process: {second.returncode}, {second.stderr!r}")

    def leftovers(self):
        return [path for path in self.folder.rglob(".wharf-*")]

    def run(self, seconds, pause):
        self.held, self.orphan, self.known = None, None, set()
        self.start()
        self.ask("MKCOL", "/m1")
        self.ask("PUT", "/m1/file", b"1")
        mark = PROPERTY % b"kept"
        self.ask("PROPPATCH", "/m1/file",
                 b'<propertyupdate xmlns="DAV:"><set><prop>%s</prop></set></propertyupdate>' % mark)
        self.judge_second_process()
        fighters = [threading.Thread(target=self.locker, args=(name,)) for name in ("Anna", "Otto")]
        fighters += [threading.Thread(target=self.writer, args=(f"w{i}",)) for i in range(WRITERS)]
        fighters += [threading.Thread(target=self.mover)]
        for fighter in fighters:
            fighter.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(random.uniform(pause / 2, pause))
            self.kill()
            self.start()
        self.is_over.set()
        for fighter in fighters:
            fighter.join()
        self.kill()
        self.start()
        self.judge_tree()
        # What a start removes, it removes beside its work.
        for _ in range(100):
            if not self.leftovers():
                break
            time.sleep(0.1)
        else:
            self.find(f"left over: {self.leftovers()[:3]}")
        self.process.terminate()
        if self.process.wait(15) != 0:
            self.find(f"the server ended with {self.process.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.PROGRAMS / "wharf",
                        help="the program (default: the release build's)")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=2, help="seconds between two kills, at most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as state:
        fight = Fight(pathlib.Path(options.server).resolve(), folder, state)
        try:
            fight.run(options.seconds, options.pause)
        finally:
            fight.is_over.set()
            if fight.process.poll() is None:
                fight.process.kill()
    print(f"fight: {options.seconds:g} s, {fight.counts}; findings: {len(fight.findings)}")
    for finding in fight.findings[:20]:
        print(f"    {finding}")
    if any(fight.counts.get(what, 0) == 0 for what in ("locked writes", "free writes", "moves", "kills")):
        print("    somebody did nothing at all")
        return 1
    return 1 if fight.findings else 0


if __name__ == "__main__":
    sys.exit(main())
