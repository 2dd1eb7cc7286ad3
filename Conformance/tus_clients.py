#!/usr/bin/env python3
"""Real clients of tus, and rough treatment, against wharf serve: `tus_clients.py [SUITE...]`.

    resume   tuspy and aiotus: 64 MiB stopped at 20 MiB, the server killed, and finished by a new client
    lossy    the same clients through a proxy that cuts connections, for 20 seeds
    aborted  100 uploads of an announced GiB that are aborted, and their expiry
    many     50 uploads of 100 MiB at the same time
    kills    kill -9 at 200 points of uploads

Needs the packages tuspy and aiotus. Ends with 1 if anything is missed.
"""

import argparse
import asyncio
import base64
import hashlib
import http.client
import io
import os
import pathlib
import random
import shlex
import signal
import socket
import sys
import tempfile
import threading
import time

from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402
from cutting_proxy import CuttingProxy  # noqa: E402

MIB = 1 << 20
TUS = {"Tus-Resumable": "1.0.0"}
APPEND = {**TUS, "Content-Type": "application/offset+octet-stream"}
missed = []


def check(what, is_right):
    print(("  ok      " if is_right else "  MISSED  ") + what, flush=True)
    if not is_right:
        missed.append(what)


class Share:
    """A folder that is served, and can be killed and served again on the same port."""

    def __init__(self, program, *options):
        self.program = shlex.quote(str(program))
        self.options = " ".join(options)
        self.port = harness.free_port()

    def __enter__(self):
        self.places = [tempfile.TemporaryDirectory(), tempfile.TemporaryDirectory()]
        self.folder, self.state = (pathlib.Path(place.name) for place in self.places)
        self.start()
        return self

    def __exit__(self, *_):
        self.server.stop()
        for place in self.places:
            place.cleanup()

    def start(self):
        command = (f"{self.program} serve --writable --port {self.port} --state {self.state} "
                   f"--log-level error {self.options} {shlex.quote(str(self.folder))}")
        self.server = harness.Server(command)
        self.server.port = self.port
        self.server.__enter__()

    def kill(self):
        os.kill(self.server.pid, signal.SIGKILL)
        self.server.process.wait()

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def ask(self, method, target, fields=(), body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, target, body, dict(fields))
            answer = connection.getresponse()
            answer.read()
            return answer
        finally:
            connection.close()

    def create(self, name, length):
        encoded = base64.b64encode(name.encode()).decode()
        answer = self.ask("POST", "/", {**TUS, "Upload-Length": str(length),
                                        "Upload-Metadata": f"filename {encoded}"})
        if answer.status != 201:
            raise RuntimeError(f"creation: {answer.status}")
        return answer.headers["Location"]

    def offset(self, url):
        answer = self.ask("HEAD", url, TUS)
        return int(answer.headers["Upload-Offset"]) if answer.status == 200 else None


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(
            hashlib, "file_digest") else hashlib.sha256(file.read()).hexdigest()


# MARK: Clients


def with_tuspy(data, port, url=None, stop_at=None, attempts=0):
    """Uploads with tuspy, or goes on: the URL, and how far it got."""
    from tusclient import client
    uploader = client.TusClient(f"http://127.0.0.1:{port}/").uploader(
        file_stream=io.BytesIO(data), chunk_size=4 * MIB, url=url,
        metadata={"filename": "tuspy.bin"}, retries=attempts, retry_delay=0.05)
    uploader.upload(stop_at=stop_at)
    return uploader.url, uploader.offset


def with_aiotus(data, port, url=None, stop_at=None, attempts=10):
    """The same with aiotus."""
    import aiohttp
    import aiotus
    from aiotus import core, creation

    async def run():
        import yarl
        async with aiohttp.ClientSession() as session:
            config = aiotus.RetryConfiguration(
                retry_attempts=attempts, max_retry_period_seconds=0.2)
            if url is None and stop_at is None:
                place = await aiotus.upload(
                    f"http://127.0.0.1:{port}/", io.BytesIO(data), {"filename": b"aiotus.bin"},
                    client_session=session, config=config, chunksize=4 * MIB)
                return str(place), len(data)
            place = url and yarl.URL(url)
            if place is None:
                endpoint = yarl.URL(f"http://127.0.0.1:{port}/")
                place = endpoint.join(await creation.create(
                    session, endpoint, io.BytesIO(data), {"filename": b"aiotus.bin"}))
            if stop_at is not None:
                # It has no way to stop: the file ends early, as if the program had ended.
                await core.upload_buffer(session, place, io.BytesIO(data[:stop_at]),
                                         chunksize=4 * MIB)
                return str(place), stop_at
            await core.upload_buffer(session, place, io.BytesIO(data), chunksize=4 * MIB)
            return str(place), len(data)

    return asyncio.run(run())


CLIENTS = {"tuspy": with_tuspy, "aiotus": with_aiotus}


# MARK: Suites


def resume(program):
    data = os.urandom(64 * MIB)
    for name, upload in CLIENTS.items():
        with Share(program) as share:
            url, offset = upload(data, share.port, stop_at=20 * MIB)
            check(f"{name}: stopped at {offset >> 20} MiB", offset == 20 * MIB)
            share.kill()
            share.start()
            path = "/" + url.split("/", 3)[3]
            check(f"{name}: 20 MiB are there after kill -9", share.offset(path) == 20 * MIB)
            upload(data, share.port, url=url)
            check(f"{name}: the file is whole, and nothing else is left",
                  share.names() == [f"{name}.bin"] and
                  digest_of(share.folder / f"{name}.bin") == hashlib.sha256(data).hexdigest())


def lossy(program, seeds=20):
    data = os.urandom(64 * MIB)
    right = hashlib.sha256(data).hexdigest()
    for name, upload in CLIENTS.items():
        cuts = bad = 0
        for seed in range(seeds):
            with Share(program) as share:
                cuts += through_proxy(share, upload, data, seed)
                path = share.folder / f"{name}.bin"
                bad += share.names() != [path.name] or digest_of(path) != right
        check(f"{name}: {seeds - bad} of {seeds} files are whole after {cuts} cut connections",
              bad == 0 and cuts > seeds // 2)


def through_proxy(share, upload, data, seed):
    """Uploads through a proxy on a thread of its own: how many connections it cut."""
    ready, done = threading.Event(), threading.Event()
    found = {}

    async def serve():
        async with CuttingProxy(share.port, seed) as proxy:
            found["port"] = proxy.port
            ready.set()
            await asyncio.get_running_loop().run_in_executor(None, done.wait)
            found["cuts"] = proxy.cut_count

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    ready.wait()
    url = None
    try:
        for _ in range(60):
            try:
                if url is None:
                    url, _ = upload(data, found["port"], stop_at=0, attempts=20)
                upload(data, found["port"], url=url, attempts=20)
                break
            except Exception:  # whatever a client makes of a connection that was cut
                time.sleep(0.02)
    finally:
        done.set()
        thread.join(10)
    return found.get("cuts", 0)


def start_patch(share, url, length, body):
    """A connection that has sent a part of what it announced."""
    client = socket.create_connection(("127.0.0.1", share.port), 10)
    head = (f"PATCH {url} HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\n"
            f"Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n"
            f"Content-Length: {length}\r\n\r\n").encode()
    client.sendall(head + body)
    return client


def aborted(program):
    with Share(program, "--upload-lifetime", "3") as share:
        base = share.server.private_dirty()
        clients = [start_patch(share, share.create(f"{n}.bin", 1 << 30), 1 << 30, b"a" * 700_000)
                   for n in range(100)]
        time.sleep(1)
        grown = share.server.private_dirty() - base
        check(f"100 uploads take {grown / MIB:.1f} MiB of memory", grown < 64 * MIB)
        visible = share.ask("GET", "/")
        check("nothing of them is seen", visible.status == 200 and all(
            name.startswith(".wharf-") for name in share.names()))
        for client in clients:
            client.close()
        for _ in range(100):
            if not share.names():
                break
            time.sleep(0.1)
        check(f"nothing is left when they have expired ({len(share.names())} files)",
              share.names() == [])


def many(program, count=50, size=100 * MIB):
    with Share(program) as share:
        base, peak = share.server.private_dirty(), 0
        block = os.urandom(MIB)
        right = hashlib.sha256(block * (size // MIB)).hexdigest()
        urls = [share.create(f"{n}.bin", size) for n in range(count)]
        statuses = []

        def send(url):
            with start_patch(share, url, size, b"") as client:
                client.settimeout(300)
                for _ in range(size // MIB):
                    client.sendall(block)
                statuses.append(client.recv(12))

        threads = [threading.Thread(target=send, args=(url,)) for url in urls]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            peak = max(peak, share.server.private_dirty())
            time.sleep(0.1)
        check(f"{count} uploads at once are answered", statuses == [b"HTTP/1.1 204"] * count)
        check(f"they take {(peak - base) / MIB:.1f} MiB of memory", peak - base < 64 * MIB)
        check("all files are whole", len(share.names()) == count and all(
            digest_of(share.folder / name) == right for name in share.names()))


def kills(program, count=200):
    """Kills the server while uploads run; whatever was acknowledged has to be there afterwards."""
    chance = random.Random(7)
    block = os.urandom(8 * MIB)
    lost = partial = unfinished = 0
    with Share(program) as share:
        for number in range(count):
            name = f"{number}.bin"
            size = chance.choice([1, 3, 8]) * MIB
            url = share.create(name, size)
            outcome = {"acknowledged": 0}

            def send():
                piece = chance.choice([1 << 16, 1 << 20, size])
                try:
                    while outcome["acknowledged"] < size:
                        at = outcome["acknowledged"]
                        answer = share.ask("PATCH", url, {**APPEND, "Upload-Offset": str(at)},
                                           block[at:min(size, at + piece)])
                        if answer.status != 204:
                            break
                        outcome["acknowledged"] = int(answer.headers["Upload-Offset"])
                except OSError:
                    pass

            thread = threading.Thread(target=send)
            thread.start()
            time.sleep(chance.random() * 0.03)
            share.kill()
            thread.join()
            partial += any(
                path.name == name and path.stat().st_size != size
                for path in share.folder.iterdir())
            share.start()
            offset = share.offset(url)
            lost += offset is None or offset < outcome["acknowledged"]
            if offset is not None and offset < size:
                answer = share.ask("PATCH", url, {**APPEND, "Upload-Offset": str(offset)},
                                   block[offset:size])
            path = share.folder / name
            unfinished += not path.exists() or path.read_bytes() != block[:size]
            path.unlink(missing_ok=True)
        check(f"{count} kills: {lost} lost a byte that was acknowledged", lost == 0)
        check(f"{partial} left a part to be seen", partial == 0)
        check(f"{unfinished} could not be finished", unfinished == 0)
        check(f"nothing is left ({share.names()})", share.names() == [])


SUITES = {"resume": resume, "lossy": lossy, "aborted": aborted, "many": many, "kills": kills}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="*", default=list(SUITES), help=", ".join(SUITES))
    parser.add_argument("--server", default=harness.PROGRAMS / "wharf",
                        help="the program (default: the release build's)")
    options = parser.parse_args()
    for name in options.suites:
        started = time.monotonic()
        print(name, flush=True)
        SUITES[name](pathlib.Path(options.server).resolve())
        print(f"  {time.monotonic() - started:.1f} s", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
