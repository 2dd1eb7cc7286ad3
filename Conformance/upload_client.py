#!/usr/bin/env python3
"""`wharf upload` against real servers, over bad networks, and with servers that are killed.

Every upload finishes with the file as it was sent, or fails with an exit code that says why; never is
a file wrong. `--short` is the part that needs nothing but this package. Ends with 1 if one misses.
"""

import argparse
import hashlib
import http.server
import os
import pathlib
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from lossy import LossyProxy
from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
WHARF = str(harness.PROGRAMS / "wharf")  # main() may change it
PYTHON = shlex.quote(str(ROOT / ".build-clients" / "bin" / "python"))
SIZES = (0, 1, 65_537, 8 << 20)
ODD_NAMES = ('a "b" 100%.bin', "ümläut 日本.bin", "back\\slash.bin", "semi;colon'.bin", "#?&=+.bin")

NGINX = """
worker_processes 1; daemon off; pid nginx.pid; error_log error.log crit;
events { worker_connections 64; }
http {
    access_log off; client_max_body_size 0; client_body_temp_path temp; proxy_temp_path temp;
    fastcgi_temp_path temp; uwsgi_temp_path temp; scgi_temp_path temp;
    server { listen 127.0.0.1:@PORT@; location / { root files; dav_methods PUT; } }
}
"""

missed = []


def check(what, is_right, more=""):
    print(("  ok      " if is_right else "  MISSED  ") + what + ("" if is_right else f" {more}"),
          flush=True)
    if not is_right:
        missed.append(what)


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def make_file(path, size):
    path.write_bytes(os.urandom(size))
    return path


def upload(*arguments, state=None, seconds=120):
    environment = dict(os.environ, XDG_STATE_HOME=str(state or "/nonexistent"))
    return subprocess.run([WHARF, "upload", *map(str, arguments)], capture_output=True, text=True,
                          timeout=seconds, env=environment, stdin=subprocess.DEVNULL)


def share(folder, *more):
    return harness.Server(
        f"{shlex.quote(WHARF)} serve --writable --port {{port}} {' '.join(more)} "
        f"{shlex.quote(str(folder))}")


def is_same(source, target):
    return target.exists() and digest(source) == digest(target)


def ours(work):
    """Forms, raw bodies and resumable uploads to this package's own servers."""
    files, target = work / "files", work / "target"
    with share(target) as server:
        url = f"http://127.0.0.1:{server.port}/"
        for way in ("--raw", "--resumable"):
            for size in SIZES:
                source = make_file(files / f"{way[2:]}-{size}.bin", size)
                done = upload(way, url, source, state=work)
                check(f"ours, {way}, {size} bytes",
                      done.returncode == 0 and is_same(source, target / source.name), done.stderr)
            for name in ODD_NAMES:
                source = make_file(files / f"{way[2:]} {name}", 1000)
                done = upload(way, url, source, state=work)
                right = done.returncode == 0 and is_same(source, target / source.name)
                # A backslash separates folders: it is refused, or the last part is the name.
                refused = "\\" in name and (
                    done.returncode == 3 or is_same(source, target / name.split("\\")[-1]))
                check(f"ours, {way}, {name}", right or refused, done.stderr)
        for path in ("../evil.bin", "%2e%2e/evil.bin", "a/../../evil.bin", "..%5cevil.bin"):
            done = upload("--raw", url + path, files / "raw-1.bin")
            check(f"ours refuses {path}",
                  done.returncode in (0, 3) and not (work / "evil.bin").exists()
                  and (done.returncode == 3 or not path.startswith("%")), done.stderr)
    with share(target) as server:
        done = upload("--raw", f"http://127.0.0.1:{server.port}/no/such/folder/x", files / "raw-1.bin")
        check("a refusal has its own exit code", done.returncode == 3, done.stderr)
        check("and names the status", "409" in done.stderr or "404" in done.stderr, done.stderr)
    done = upload(f"http://127.0.0.1:{server.port}/", "/no/such/file")
    check("so has a file that isn't there", done.returncode == 4, done.stderr)


class Redirecting(http.server.BaseHTTPRequestHandler):
    """Leads what is put to another server, by the status that the path names: `/307/NAME`."""

    protocol_version = "HTTP/1.1"
    target = 0

    def do_PUT(self):
        _, status, name = self.path.split("/")
        if self.headers.get("Expect"):
            # Refused before the body has left.
            self.close_connection = True
        else:
            self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response_only(int(status))
        self.send_header("Location", f"http://127.0.0.1:{self.target}/{name}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def handle_expect_100(self):
        return True

    def log_message(self, *_):
        pass


def routes(work):
    """Redirects to another server, and logins."""
    small = make_file(work / "files" / "small.bin", 1000)
    large = make_file(work / "files" / "large.bin", 3 << 20)
    target = work / "target"
    with share(target) as server:
        Redirecting.target = server.port
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as redirecting:
            threading.Thread(target=redirecting.serve_forever, daemon=True).start()
            for status in (301, 302, 307, 308):
                for source in (small, large):
                    done = upload("--raw", f"http://127.0.0.1:{redirecting.server_port}/{status}/"
                                  f"{status}-{source.name}", source)
                    check(f"a redirect by {status} sends all of {source.name} again",
                          done.returncode == 0 and is_same(source, target / f"{status}-{source.name}"),
                          done.stderr)
            redirecting.shutdown()
    for scheme in ("basic", "digest"):
        with share(target, f"--user u:p --auth {scheme}") as server:
            for source in (small, large):
                for way in ("--raw", "--resumable"):
                    (target / source.name).unlink(missing_ok=True)
                    done = upload(way, "--user", "u:p", f"http://127.0.0.1:{server.port}/", source)
                    check(f"{scheme}, {way}, {source.name}",
                          done.returncode == 0 and is_same(source, target / source.name), done.stderr)
            done = upload("--raw", "--user", "u:no", f"http://127.0.0.1:{server.port}/", small)
            check(f"{scheme}, a wrong password", done.returncode == 3 and "401" in done.stderr,
                  done.stderr)


class Saving(http.server.BaseHTTPRequestHandler):
    """Saves what is put."""

    protocol_version = "HTTP/1.1"
    folder = None

    def do_PUT(self):
        data = self.rfile.read(int(self.headers["Content-Length"]))
        (self.folder / os.path.basename(self.path)).write_bytes(data)
        self.send_response_only(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def tls(work):
    """Whom it trusts."""
    key, certificate = work / "key.pem", work / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key,
         "-out", certificate, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
        check=True, capture_output=True)
    public = subprocess.run(["openssl", "x509", "-in", certificate, "-noout", "-pubkey"],
                            check=True, capture_output=True).stdout
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=public, check=True,
                         capture_output=True).stdout
    pin = hashlib.sha256(der).hexdigest()
    Saving.folder = work / "target"
    source = make_file(work / "files" / "tls.bin", 5 << 20)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Saving) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for host, options, code in (
                ("localhost", [], 5), ("localhost", ["--cacert", certificate], 0),
                ("127.0.0.1", ["--cacert", certificate], 5), ("127.0.0.1", ["--insecure"], 0),
                ("localhost", ["--pin", pin], 0), ("localhost", ["--pin", "0" * 64], 5),
                ("localhost", ["--insecure", "--pin", "0" * 64], 5)):
            (work / "target" / "tls.bin").unlink(missing_ok=True)
            done = upload("--raw", *options, f"https://{host}:{server.server_port}/", source)
            right = done.returncode == code and is_same(source, work / "target" / "tls.bin") == (
                code == 0)
            check(f"TLS to {host} {' '.join(str(one)[-20:] for one in options)}: {code}", right,
                  f"{done.returncode} {done.stderr}")
        server.shutdown()


def lossy(work, seeds, size=300_000):
    """A bad network between: the file is right, or the failure clear."""
    target = work / "lossy"
    target.mkdir()
    finished = failed = resets = 0
    with share(target) as server:
        for seed in range(seeds):
            way = ("--resumable", "--raw", "--form")[seed % 3]
            source = make_file(work / "files" / f"lossy-{seed}.bin", size)
            with LossyProxy(server.port, seed) as proxy:
                arguments = [way] if way != "--form" else []
                done = upload(*arguments, "--timeout", 10, f"http://127.0.0.1:{proxy.port}/", source,
                              state=work)
                resets += proxy.resets
            there = target / source.name
            if done.returncode == 0:
                finished += 1
                right = is_same(source, there)
            else:
                failed += 1
                right = done.returncode in (1, 3) and done.stderr.startswith("wharf: ") and (
                    not there.exists() or is_same(source, there))
            if way == "--resumable":
                right = right and done.returncode == 0
            if not right:
                check(f"seed {seed}, {way}", False, f"{done.returncode} {done.stderr}")
        left = [name for name in os.listdir(target) if not name.startswith("lossy-")]
    check(f"{seeds} seeds: {finished} finished, {failed} failed clearly, {resets} resets",
          not any(name.endswith(".part") and "lossy" in name for name in left))


def killed(work, rounds=3):
    """The server is killed in the middle, and started again on its port."""
    for number in range(rounds):
        target = work / f"killed-{number}"
        state = work / f"state-{number}"
        target.mkdir()
        state.mkdir()
        source = make_file(work / "files" / f"killed-{number}.bin", 12 << 20)
        server = share(target, "--state", shlex.quote(str(state)))
        with server:
            with LossyProxy(server.port, number, bad_count=0, rate=8 << 20) as proxy:
                outcome = []
                thread = threading.Thread(target=lambda: outcome.append(
                    upload("--resumable", f"http://127.0.0.1:{proxy.port}/", source, state=work)))
                thread.start()
                time.sleep(0.6 + 0.1 * number)
                server.process.send_signal(signal.SIGKILL)
                server.process.wait()
                time.sleep(1)
                again = harness.Server(" ".join(map(shlex.quote, server.command)))
                again.port, again.command = server.port, server.command
                with again:
                    thread.join(100)
                    done = outcome[0] if outcome else None
                    check(f"the server is killed and started again, round {number}",
                          done is not None and done.returncode == 0
                          and is_same(source, target / source.name),
                          done.stderr if done else "it has not ended")


def stopped(work):
    """The command is killed, and started again: it goes on where it was."""
    target = work / "stopped"
    target.mkdir()
    source = make_file(work / "files" / "stopped.bin", 12 << 20)
    with share(target) as server, LossyProxy(server.port, 1, bad_count=0, rate=8 << 20) as proxy:
        command = [WHARF, "upload", "--resumable", f"http://127.0.0.1:{proxy.port}/", str(source)]
        environment = dict(os.environ, XDG_STATE_HOME=str(work))
        first = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        time.sleep(0.8)
        first.kill()
        first.wait()
        proxy.rate = None
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        check("a killed command goes on where it was", done.returncode == 0
              and " on in " in done.stdout and is_same(source, target / source.name),
              done.stdout + done.stderr)


def peers(work, sizes):
    """Other people's servers get the file as it is."""
    files = work / "files"
    for name in ("flask", "aiohttp", "tuspyserver", "aiohttp-tus"):
        target = work / name
        target.mkdir()
        with harness.Server(
                f"{PYTHON} {shlex.quote(str(HERE / 'upload_servers.py'))} {name} {{port}} "
                f"{shlex.quote(str(target))}") as server:
            for size in sizes:
                if size == 0 and name == "aiohttp-tus":
                    continue  # it waits for a PATCH of nothing, though tus calls this complete
                source = make_file(files / f"{name}-{size}.bin", size)
                if name in ("flask", "aiohttp"):
                    done = upload("--field", "uploadFile", f"http://127.0.0.1:{server.port}/upload",
                                  source, state=work)
                    right = is_same(source, target / source.name)
                else:
                    done = upload("--resumable", f"http://127.0.0.1:{server.port}/files"
                                  + ("/" if name == "tuspyserver" else ""), source, state=work)
                    right = any(digest(path) == digest(source) for path in target.rglob("*")
                                if path.is_file())
                check(f"{name}, {size} bytes", done.returncode == 0 and right, done.stderr)
    programs = [("node", f"node {shlex.quote(str(HERE / 'upload_peer.js'))}", ["--raw"], "/")]
    go = work / "upload-peer"
    subprocess.run(["go", "build", "-o", go, HERE / "upload_peer.go"], check=True, cwd=work)
    programs.append(("go", str(go), ["--field", "uploadFile"], "/upload"))
    for name, program, options, path in programs:
        target = work / name
        target.mkdir()
        with harness.Server(f"{program} {{port}} {shlex.quote(str(target))}") as server:
            for size in sizes:
                source = make_file(files / f"{name}-{size}.bin", size)
                done = upload(*options, f"http://127.0.0.1:{server.port}{path}", source)
                check(f"{name}, {size} bytes",
                      done.returncode == 0 and is_same(source, target / source.name), done.stderr)
    nginx(work, sizes)


def nginx(work, sizes):
    prefix = work / "nginx"
    (prefix / "files").mkdir(parents=True)
    os.chmod(work, 0o755)
    os.chmod(prefix / "files", 0o777)
    os.chmod(prefix, 0o777)
    server = harness.Server(f"nginx -p {shlex.quote(str(prefix))} -c nginx.conf")
    (prefix / "nginx.conf").write_text(NGINX.replace("@PORT@", str(server.port)))
    with server:
        for size in sizes:
            source = make_file(work / "files" / f"nginx-{size}.bin", size)
            done = upload("--raw", f"http://127.0.0.1:{server.port}/", source)
            check(f"nginx, {size} bytes", done.returncode == 0
                  and is_same(source, prefix / "files" / source.name), done.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true", help="what needs no other servers")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--wharf", default=WHARF, help="the program")
    options = parser.parse_args()
    globals()["WHARF"] = str(pathlib.Path(options.wharf).resolve())
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "files").mkdir()
        (work / "target").mkdir()
        ours(work)
        routes(work)
        tls(work)
        lossy(work, 6 if options.short else options.seeds)
        stopped(work)
        killed(work, 1 if options.short else 3)
        if not options.short:
            if not shutil.which("go") or not shutil.which("node"):
                harness.fail("go and node are needed")
            peers(work, (*SIZES, 64 << 20))
    if missed:
        print(f"{len(missed)} missed")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
