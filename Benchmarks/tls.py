#!/usr/bin/env python3
"""TLS beside nginx: requests/s on kept connections, new handshakes/s, a download of 256 MiB.

The same certificate, key, ciphers and tickets; one worker and one loop. Pairs alternate, so that a
slow moment of the machine is both sides'. Ends with 1 if a median of the ratios is below 0.9.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import harness

sys.path.insert(0, str(harness.ROOT / "Conformance"))
from tls_certificates import Authority  # noqa: E402

RATIO_MIN = 0.9
SIZE = 256 << 20
CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"


def nginx(folder, pem):
    server = harness.nginx(folder)
    file = pathlib.Path(folder) / "nginx.conf"
    listen = f"listen 127.0.0.1:{server.port}"
    file.write_text(file.read_text().replace(
        f"{listen};", f"{listen} ssl; ssl_certificate {pem}; ssl_certificate_key {pem};"
        f" ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers {CIPHERS}; ssl_session_tickets on;"))
    return server


def wrk(port, seconds, *more):
    run = subprocess.run(
        ["wrk", "-t1", "-c32", f"-d{seconds}s", *more, f"https://127.0.0.1:{port}/plaintext"],
        capture_output=True, text=True, check=True)
    if "Non-2xx" in run.stdout:
        harness.fail(run.stdout)
    return float(re.search(r"Requests/sec:\s+([0-9.]+)", run.stdout)[1])


def kept(port, seconds):
    return wrk(port, seconds)


def handshakes(port, seconds):
    """Full ones: s_time takes no session up again, and two of it keep the server busy."""
    command = ["openssl", "s_time", "-connect", f"127.0.0.1:{port}", "-new", "-time",
               str(int(seconds))]
    started = time.monotonic()
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            for _ in range(2)]
    texts = [run.communicate()[0] for run in runs]
    counts = [int(re.search(r"(\d+) connections in \d+ real seconds", text)[1]) for text in texts]
    return sum(counts) / (time.monotonic() - started)


def download(port, _):
    started = time.monotonic()
    run = subprocess.run(
        ["curl", "-sSk", "--tls13-ciphers", "TLS_AES_128_GCM_SHA256", "-o", "/dev/null", "-w",
         "%{size_download}", f"https://127.0.0.1:{port}/files/large"],
        capture_output=True, text=True, check=True)
    if run.stdout != str(SIZE):
        harness.fail(f"{run.stdout} bytes came")
    return SIZE / (time.monotonic() - started) / (1 << 20)


MEASURES = [("requests/s, kept", kept), ("handshakes/s", handshakes),
            ("MiB/s, 256 MiB", download)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--seconds", type=int, default=2)
    options = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder) / "files"
        files.mkdir()
        with open(files / "large", "wb") as large:
            large.truncate(SIZE)
        pathlib.Path(folder).chmod(0o755)
        pem = Authority(folder).server("server", ["localhost", "127.0.0.1"])
        ours = harness.CONFORMANCE_SERVER + f" --quiet --root {files} --tls {pem}"
        print(harness.machine())
        print("\n| what | ours | nginx | ratio, median | CPU s, ours | CPU s, nginx |")
        print("|---|---|---|---|---|---|")
        with nginx(folder, pem) as peer, harness.Server(ours) as server:
            for name, measure in MEASURES:
                pairs, used = [], [0, 0]
                for number in range(options.pairs):
                    pair = [0, 0]
                    for side in ((0, 1) if number % 2 else (1, 0)):
                        one = (server, peer)[side]
                        before = one.cpu()
                        pair[side] = measure(one.port, options.seconds)
                        used[side] += one.cpu_since(before) / 1e9
                    pairs.append(pair)
                ratio = statistics.median(a / b for a, b in pairs)
                missed += ratio < RATIO_MIN
                medians = [statistics.median(pair[side] for pair in pairs) for side in (0, 1)]
                print(f"| {name} | {medians[0]:.0f} | {medians[1]:.0f} | {ratio:.2f} "
                      f"| {used[0]:.2f} | {used[1]:.2f} |", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
