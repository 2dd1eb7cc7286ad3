#!/usr/bin/env python3
"""Reads forms of one large part with our parser, Go's mime/multipart and python-multipart.

    python3 Benchmarks/multipart.py [MIB] [RUNS]

Prints MiB of data for each second of CPU, the best of RUNS, and our ratio to each peer; ends with 1 if a
peer is faster where that counts. All are fed from memory, in the same run. A peer that is not installed (`golang-go`; `pip install
python-multipart`) is skipped with a line. PYTHON names the interpreter that has python-multipart.
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = os.path.join(HERE, "..", ".build-release", "release", "multipart-benchmark")
BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW"
PIECE_SIZE = 262144
# Where ours has to be as fast as the fastest peer, as far as rates that differ by a tenth from run to
# run can tell.
ASKED = ("random", "CRLF", "near-boundary")
RATIO_MIN = 0.9


def kinds(size):
    """What a part is full of; each is hard for somebody's search."""
    line = b"The quick brown fox jumps over the dog\r\n"
    near = b"\r\n--" + BOUNDARY[:-1].encode()
    yield "random", os.urandom(size)
    yield "zeros", bytes(size)
    yield "text lines", line * (size // len(line))
    yield "CRLF", b"\r\n" * (size // 2)
    yield "CR", b"\r" * size
    yield "near-boundary", near * (size // len(near))


def peers(folder):
    yield "ours", [OURS], [str(PIECE_SIZE)]
    if shutil.which("go"):
        program = os.path.join(folder, "peer")
        source = os.path.join(HERE, "multipart-peer.go")
        subprocess.run(["go", "build", "-o", program, source], check=True, cwd=folder,
                       env={**os.environ, "GOCACHE": folder, "GO111MODULE": "off"})
        yield "go", [program], []
    else:
        print("skipped: go (no golang-go)")
    python = os.environ.get("PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import python_multipart"], stderr=subprocess.DEVNULL).returncode == 0:
        yield "python-multipart", [python, os.path.join(HERE, "multipart_peer.py")], [str(PIECE_SIZE)]
    else:
        print("skipped: python-multipart (not installed)")


def main():
    size = int(sys.argv[1] if len(sys.argv) > 1 else 256) << 20
    runs = int(sys.argv[2] if len(sys.argv) > 2 else 3)
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
    slower = []
    with tempfile.TemporaryDirectory() as folder:
        programs = list(peers(folder))
        path = os.path.join(folder, "body")
        for kind, data in kinds(size):
            with open(path, "wb") as body:
                body.write(head.encode() + data + f"\r\n--{BOUNDARY}--\r\n".encode())
            rates = {}
            for _ in range(runs):
                # In turns, so that a busy moment of the machine hits all.
                for name, command, options in programs:
                    output = subprocess.check_output(command + [path, BOUNDARY] + options, text=True)
                    seconds, count = output.split()
                    assert int(count) == len(data), f"{name} found {count} bytes of {len(data)}"
                    rate = len(data) / float(seconds) / (1 << 20)
                    rates[name] = max(rates.get(name, 0), rate)
            ratios = [f"{name} {rate:.0f} ({rates['ours'] / rate:.2f}x)" for name, rate in rates.items()]
            print(f"{kind:14}", ", ".join(ratios), flush=True)
            if kind in ASKED and rates["ours"] < RATIO_MIN * max(rates.values()):
                slower.append(kind)
    if slower:
        sys.exit(f"slower than a peer: {', '.join(slower)}")


if __name__ == "__main__":
    main()
