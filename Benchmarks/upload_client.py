#!/usr/bin/env python3
"""1 GiB sent by `wharf upload` beside curl, to the same server: plain, as a form, over TLS (to nginx),
and resumable.

The rounds alternate, so that a slow moment of the machine is everybody's. Ends with 1 if a plain
upload or a form has less than four fifths of curl's speed, or memory passes 32 MiB.
"""

import argparse
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import harness

RATIO_MIN = 0.8
MEMORY_MAX = 32 << 20
WHARF = str(harness.PROGRAMS / "wharf")


NGINX = """
worker_processes 1; daemon off; pid nginx.pid; error_log error.log crit; user root;
events { worker_connections 64; }
http {
    access_log off; client_max_body_size 0; client_body_temp_path temp; proxy_temp_path temp;
    fastcgi_temp_path temp; uwsgi_temp_path temp; scgi_temp_path temp;
    server {
        listen 127.0.0.1:@PORT@ ssl; ssl_certificate certificate.pem; ssl_certificate_key key.pem;
        location / { root files; dav_methods PUT; }
    }
}
"""


def nginx(prefix):
    (prefix / "files").mkdir(parents=True)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout",
         prefix / "key.pem", "-out", prefix / "certificate.pem", "-subj", "/CN=localhost"],
        check=True, capture_output=True)
    server = harness.Server(f"nginx -p {shlex.quote(str(prefix))} -c nginx.conf")
    (prefix / "nginx.conf").write_text(NGINX.replace("@PORT@", str(server.port)))
    return server


def measure(command):
    """Seconds, seconds of CPU and peak memory of a command that has to succeed."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    output = process.stdout.read()
    errors = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - started
    if process.returncode != 0:
        harness.fail(f"{' '.join(command)}: {process.returncode} {output!r} {errors!r}")
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=1 << 30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        work = pathlib.Path(folder)
        target = work / "target"
        target.mkdir()
        source = work / "source.bin"
        with open(source, "wb") as file:
            for _ in range(options.size >> 20):
                file.write(os.urandom(1 << 20))
        share = f"{shlex.quote(WHARF)} serve --writable --port {{port}} {shlex.quote(str(target))}"
        with (harness.Server(share) as files, nginx(work / "nginx") as secure,
              harness.Server(harness.CONFORMANCE_SERVER) as forms):
            tls = f"https://127.0.0.1:{secure.port}/"
            url = f"http://127.0.0.1:{files.port}/"
            form = f"http://127.0.0.1:{forms.port}/form?digest=none"
            pairs = {
                "plain": (["--raw", url], ["-T", str(source), url]),
                "form": ([form], ["-F", f"file=@{source}", form]),
                "TLS": (["--raw", "--insecure", tls], ["-k", "-T", str(source), tls]),
                "resumable": (["--resumable", url], None),
            }
            rows = []
            for name, (ours, theirs) in pairs.items():
                rows.append(compare(name, ours, theirs, source, target, options.rounds))
    print("| way | ours, MB/s | curl, MB/s | ratio | CPU, ours | CPU, curl | memory, ours | curl |")
    print("|---|---|---|---|---|---|---|---|")
    print("\n".join(row for row, _ in rows))
    sys.exit(0 if all(is_good for _, is_good in rows) else 1)


def compare(name, ours, theirs, source, target, rounds):
    mine, others = [], []
    for _ in range(rounds):
        if theirs is not None:
            others.append(measure(["curl", "-s", "-f", "-o", "/dev/null", *theirs]))
        mine.append(measure([WHARF, "upload", *ours, str(source)]))
        for path in target.iterdir():
            if path.is_file():
                path.unlink()
    size = source.stat().st_size / 1e6
    speed = size / statistics.median(one[0] for one in mine)
    memory = max(one[2] for one in mine)
    cpu = statistics.median(one[1] for one in mine)
    row = f"| {name} | {speed:.0f} | "
    is_good = memory <= MEMORY_MAX
    if others:
        other = size / statistics.median(one[0] for one in others)
        is_good = is_good and (name == "TLS" or speed >= RATIO_MIN * other)
        row += (f"{other:.0f} | {speed / other:.2f} | {cpu:.2f} s | "
                f"{statistics.median(one[1] for one in others):.2f} s | {memory / 2**20:.1f} MiB | "
                f"{max(one[2] for one in others) / 2**20:.1f} MiB |")
    else:
        row += f"- | - | {cpu:.2f} s | - | {memory / 2**20:.1f} MiB | - |"
    return row, is_good


if __name__ == "__main__":
    main()
