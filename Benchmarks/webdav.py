#!/usr/bin/env python3
"""A drive beside nginx's and Apache's, on one machine in one run: uploads, listings, changes, 1 GiB.

`webdav.py [--rounds 3]`. The rounds alternate, so that a slow moment of the machine is everybody's, and the
best of each counts. Of nginx only what its module can do. Ends with 1 if a threshold is missed: see BOUNDS.
"""

import argparse
import contextlib
import http.client
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import harness

# What ours has to keep to; the ratios are to a peer's figure of the same run.
BOUNDS = {
    "put_cpu_us": ("nginx", 2.0), "list2k_us": 10, "list10k_us": 10, "list10k_first_ms": 20,
    "list10k_growth_mib": 5, "list10k_bytes": 480, "allprop10k_bytes": 500, "copy10k_s": 1, "move10k_ms": 20,
    "delete10k_s": 0.5, "big_put_s": ("apache", 1.0), "big_get_s": ("apache", 1.0), "big_growth_mib": 10,
}

SEVEN = (b'<?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:"><D:prop><D:resourcetype/>'
         b"<D:getcontentlength/><D:getlastmodified/><D:getetag/><D:creationdate/><D:getcontenttype/>"
         b"<D:displayname/></D:prop></D:propfind>")

NGINX = """
load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
user www-data; worker_processes 1; daemon off; pid nginx.pid; error_log error.log crit;
events {{ worker_connections 64; }}
http {{
    access_log off; sendfile on; client_max_body_size 0; client_body_buffer_size 256k;
    client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
    uwsgi_temp_path temp; scgi_temp_path temp; keepalive_requests 1000000;
    server {{
        listen 127.0.0.1:{port};
        location / {{ root files; dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS; }}
    }}
}}
"""

APACHE = """
ServerName localhost
Listen 127.0.0.1:{port}
ServerRoot {place}
PidFile {place}/pid
ErrorLog {place}/error.log
LogLevel crit
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule dav_module /usr/lib/apache2/modules/mod_dav.so
LoadModule dav_fs_module /usr/lib/apache2/modules/mod_dav_fs.so
LoadModule mime_module /usr/lib/apache2/modules/mod_mime.so
TypesConfig /etc/mime.types
User www-data
Group www-data
MaxKeepAliveRequests 0
DavLockDB {place}/locks
DocumentRoot {place}/files
<Directory {place}/files>
    Dav On
    Require all granted
</Directory>
"""


class Drive:
    """A server, and one connection to it."""

    def __init__(self, name, server):
        self.name, self.server = name, server
        self.figures = {}
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)

    def ask(self, method, path, body=None, fields=None):
        self.connection.request(method, path, body, fields or {})
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status >= 400:
            raise OSError(f"{self.name}: {method} {path}: {answer.status} {data[:200]!r}")
        return data

    def note(self, name, value):
        self.figures[name] = min(value, self.figures.get(name, value))

    def memory(self):
        return sum(self.process_memory(process) for process in self.server.processes()) / 1024

    @staticmethod
    def process_memory(process):
        try:
            lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
        except OSError:
            return 0
        return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

    def timed(self, work):
        """Seconds that passed, and microseconds of CPU."""
        before, start = self.server.cpu(), time.perf_counter()
        work()
        passed = time.perf_counter() - start
        return passed, self.server.cpu_since(before) / 1000


def puts(drive, count):
    drive.connection.close()
    body = os.urandom(4096)
    drive.ask("MKCOL", "/p/")

    def work():
        for number in range(count):
            drive.ask("PUT", f"/p/f{number:05}.bin", body)
    passed, cpu = drive.timed(work)
    drive.note("put_us", passed * 1e6 / count)
    drive.note("put_cpu_us", cpu / count)

    def again():
        for number in range(count):
            drive.ask("PUT", f"/p/f{number:05}.bin", body)
    passed, cpu = drive.timed(again)
    drive.note("replace_cpu_us", cpu / count)
    drive.ask("DELETE", "/p/")


def listings(drive, size, name):
    drive.connection.close()
    folder = f"/l{size}/"
    before = drive.memory()
    for kind, body in (("list", SEVEN), ("allprop", None)):
        firsts = []

        def work():
            drive.connection.request("PROPFIND", folder, body,
                                     {"Depth": "1", "Content-Type": "application/xml"})
            start = time.perf_counter()
            answer = drive.connection.getresponse()
            data = answer.read(1)
            firsts.append(time.perf_counter() - start)
            data += answer.read()
            drive.note(f"{kind}{name}_bytes", len(data) / size)
        for _ in range(5):
            _, cpu = drive.timed(work)
            drive.note(f"{kind}{name}_us", cpu / size)
        drive.note(f"{kind}{name}_first_ms", min(firsts) * 1000)
    drive.note(f"list{name}_growth_mib", max(0, drive.memory() - before))


def changes(drive):
    drive.connection.close()
    base = f"http://127.0.0.1:{drive.server.port}"
    passed, cpu = drive.timed(lambda: drive.ask("COPY", "/l10000/", None, {"Destination": f"{base}/c/"}))
    drive.note("copy10k_s", passed)
    drive.note("copy10k_cpu_s", cpu / 1e6)
    passed, _ = drive.timed(lambda: drive.ask("MOVE", "/c/", None, {"Destination": f"{base}/d/"}))
    drive.note("move10k_ms", passed * 1000)
    passed, _ = drive.timed(lambda: drive.ask("DELETE", "/d/"))
    drive.note("delete10k_s", passed)


def big(drive, file):
    url = f"http://127.0.0.1:{drive.server.port}/big"
    before = drive.memory()
    for name, command in (("put", ["curl", "-sf", "-H", "Expect:", "-T", file, url]),
                          ("get", ["curl", "-sf", "-o", "/dev/null", url])):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        drive.note(f"big_{name}_s", time.perf_counter() - start)
    drive.note("big_growth_mib", max(0, drive.memory() - before))
    drive.connection.close()
    drive.ask("DELETE", "/big")


def folders(place):
    """A folder for each server, and in it two to be listed."""
    files = {}
    for name in ("wharf", "nginx", "apache"):
        folder = place / name
        (folder / "files").mkdir(parents=True)
        for size in (2000, 10_000):
            (folder / "files" / f"l{size}").mkdir()
            for number in range(size):
                (folder / "files" / f"l{size}" / f"file-{number:05}.txt").write_bytes(b"x" * 100)
        files[name] = folder
    for name in ("nginx", "apache"):
        subprocess.run(["chown", "-R", "www-data", str(files[name])], check=True)
    os.chmod(place, 0o755)
    return files


def started(files, stack):
    """The three servers, one after the other: what port is free is known when the others have theirs."""
    program = shlex.quote(str(harness.PROGRAMS / "wharf"))
    made = {"wharf": stack.enter_context(harness.Server(
        f"{program} serve --writable --log-level error --port {{port}} {files['wharf'] / 'files'}"))}
    nginx = harness.Server(f"nginx -p {files['nginx']} -c nginx.conf -e error.log", cwd=files["nginx"])
    (files["nginx"] / "nginx.conf").write_text(NGINX.format(port=nginx.port))
    made["nginx"] = stack.enter_context(nginx)
    apache = harness.Server(f"/usr/sbin/apache2 -f {files['apache']}/apache.conf -DFOREGROUND")
    (files["apache"] / "apache.conf").write_text(APACHE.format(port=apache.port, place=files["apache"]))
    made["apache"] = stack.enter_context(apache)
    return made


def report(drives):
    names = sorted({name for drive in drives for name in drive.figures})
    print("| figure | " + " | ".join(drive.name for drive in drives) + " | bound |")
    print("|---|" + "---|" * (len(drives) + 1))
    by_name = {drive.name: drive.figures for drive in drives}
    missed = []
    for name in names:
        bound = BOUNDS.get(name)
        if isinstance(bound, tuple):
            peer, ratio = bound
            limit, text = by_name[peer][name] * ratio, f"{ratio:g} x {peer}"
        else:
            limit, text = bound, "" if bound is None else f"{bound:g}"
        cells = [f"{drive.figures[name]:.4g}" if name in drive.figures else "" for drive in drives]
        print(f"| {name} | " + " | ".join(cells) + f" | {text} |")
        if limit is not None and by_name["wharf"].get(name, 0) > limit:
            missed.append(f"{name}: {by_name['wharf'][name]:.4g}, not {limit:.4g}")
    for text in missed:
        print(f"over its bound: {text}")
    return not missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--size", type=int, default=1024, help="MiB of the large file")
    options = parser.parse_args()
    for program in ("nginx", "apache2", "curl"):
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin"):
            harness.fail(f"{program} is not installed")
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        file = place / "large"
        with file.open("wb") as output:
            for _ in range(options.size):
                output.write(os.urandom(1 << 20))
        files = folders(place)
        with contextlib.ExitStack() as stack:
            drives = [Drive(name, server) for name, server in started(files, stack).items()]
            for _ in range(options.rounds):
                for drive in drives:
                    puts(drive, 2000)
                for drive in drives:
                    listings(drive, 2000, "2k")
                    listings(drive, 10_000, "10k")
                for drive in drives:
                    changes(drive)
                for drive in drives:
                    big(drive, str(file))
        print(harness.machine())
        return 0 if report(drives) else 1


if __name__ == "__main__":
    sys.exit(main())
