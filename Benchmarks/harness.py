"""Starting, measuring and stopping servers. Python's standard library only."""

import ctypes
import os
import pathlib
import platform
import resource
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / ".build-release" / "release"
CONFORMANCE_SERVER = f"{shlex.quote(str(PROGRAMS / 'conformance-server'))} --port {{port}}"


def say(text):
    print(text, file=sys.stderr, flush=True)


def fail(text):
    say(text)
    sys.exit(1)


def free_port():
    """A port below the range that the kernel gives to clients."""
    first = 20000 + os.getpid() % 6000
    for port in range(first, first + 6000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    fail("no free port")


def raise_descriptor_limit(count):
    """For this process and the servers that it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        try:
            enough = hard if hard == resource.RLIM_INFINITY or hard >= count else count
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, enough))
        except (ValueError, OSError):
            fail(f"{count} descriptors are needed, {hard} are allowed: raise `ulimit -n`")


def end_with_parent():
    """Runs in the child: a server must not outlive a script that was killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)  # PR_SET_PDEATHSIG


class Server:
    """A server process, running inside a `with` block; `command` has a place for {port}."""

    def __init__(self, command, cwd=None, seconds_to_start=20, prefix=()):
        self.port = free_port()
        self.command = list(prefix) + shlex.split(command.format(port=self.port))
        self.cwd = cwd
        self.seconds_to_start = seconds_to_start
        self.process = None

    def __enter__(self):
        self.output = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                self.command, cwd=self.cwd, stdin=subprocess.DEVNULL, stdout=self.output,
                stderr=subprocess.STDOUT, preexec_fn=end_with_parent)
        except OSError as error:
            fail(f"{self.command[0]}: {error.strerror}. Is it built, is it installed?")
        try:
            self.wait_until_listening()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()
        self.output.close()

    @property
    def pid(self):
        return self.process.pid

    def wait_until_listening(self):
        deadline = time.monotonic() + self.seconds_to_start
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                fail(f"{' '.join(self.command)} ended at once:\n{self.log()}")
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        fail(f"{' '.join(self.command)} does not listen:\n{self.log()}")

    def log(self):
        """The end of what it has printed."""
        self.output.seek(0)
        return self.output.read()[-4000:].decode(errors="replace")

    def stop(self, seconds=15):
        """SIGTERM, and SIGKILL for one that does not end. Returns its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                say(f"{self.command[0]} ignored SIGTERM for {seconds} s: killing it")
                self.process.kill()
                self.process.wait()
        return self.process.returncode

    def processes(self):
        """The process and its children (nginx has its worker there)."""
        found = [self.pid]
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                fields = pathlib.Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == self.pid:
                found.append(int(entry))
        return found

    def cpu(self):
        """Nanoseconds on a CPU so far, by thread."""
        used = {}
        for process in self.processes():
            try:
                for thread in os.listdir(f"/proc/{process}/task"):
                    text = pathlib.Path(f"/proc/{process}/task/{thread}/schedstat").read_text()
                    used[thread] = int(text.split()[0])
            except OSError:
                continue  # a thread that has ended between the two calls
        return used

    def cpu_since(self, before):
        return sum(used - before.get(thread, 0) for thread, used in self.cpu().items())

    def private_dirty(self):
        """Bytes of memory that are its own."""
        for line in pathlib.Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Private_Dirty:"):
                return int(line.split()[1]) * 1024
        fail("smaps_rollup has no Private_Dirty")

    def descriptor_count(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


def nginx(folder):
    """nginx with `folder` as its prefix; what lies in folder/files is served at /files/."""
    port_free = (ROOT / "Benchmarks" / "nginx.conf").read_text()
    server = Server(f"nginx -p {shlex.quote(str(folder))} -c nginx.conf -e error.log", cwd=folder)
    (pathlib.Path(folder) / "nginx.conf").write_text(port_free.replace("@PORT@", str(server.port)))
    os.chmod(folder, 0o755)  # its worker is another user
    return server


def request(path, port, fields=()):
    """The bytes that wrk sends."""
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *fields]
    return "".join(line + "\r\n" for line in lines + [""]).encode()


def read_response(connection):
    """One response with a Content-Length: its head, and its length with the head."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            fail(f"the connection ended within a head: {data!r}")
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    left = length - len(body)
    while left > 0:
        piece = connection.recv(min(left, 1 << 20))
        if not piece:
            fail("the connection ended within a body")
        left -= len(piece)
    if not head.startswith(b"HTTP/1.1 200"):
        fail(f"not a 200: {head!r}")
    return head, len(head) + 4 + length


def keep_asking(port, path, connection_count, each_count, seconds_max=120, fields=()):
    """Exactly `each_count` requests on each connection, one at a time, all connections at once."""
    message = request(path, port, fields)
    deadline = time.monotonic() + seconds_max
    poller = select.epoll()
    states = {}
    for _ in range(connection_count):
        connection = socket.create_connection(("127.0.0.1", port), 10)
        connection.settimeout(10)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        states[connection.fileno()] = [connection, each_count, 0]
    try:
        first = next(iter(states.values()))[0]
        first.sendall(message)
        _, length = read_response(first)
        for descriptor, state in states.items():
            state[1] -= 1 if state[0] is first else 0
            poller.register(descriptor, select.EPOLLIN)
            if state[1] > 0:
                state[0].sendall(message)
        open_count = sum(state[1] > 0 for state in states.values())
        while open_count > 0:
            if time.monotonic() > deadline:
                fail(f"{open_count} connections have had no answer for too long")
            for descriptor, _ in poller.poll(1):
                state = states[descriptor]
                piece = state[0].recv(65536)
                if not piece:
                    fail(f"a connection ended with {state[1]} answers missing")
                state[2] += len(piece)
                if state[2] < length:
                    continue
                state[2] -= length
                state[1] -= 1
                if state[1] > 0:
                    state[0].sendall(message)
                else:
                    open_count -= 1
    finally:
        poller.close()
        for connection, _, _ in states.values():
            connection.close()


def machine():
    """One line about what was measured on."""
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return (
        f"{model}, {os.cpu_count()} cores, Linux {platform.release()}, "
        f"load {os.getloadavg()[0]:.1f}; commit {commit.stdout.strip() or 'unknown'}, "
        f"{time.strftime('%Y-%m-%d', time.gmtime())}")
