"""What discovery.py uses: namespaces, daemons, a browser of services, the program under test."""

import contextlib
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time

DBUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>
"""
AVAHI_CONFIG = """[server]
host-name={name}
use-ipv4=yes
use-ipv6=no
allow-interfaces=wharf0
enable-dbus=yes
[publish]
publish-workstation=no
"""
# miniupnpd takes no address that is reserved for documentation; nothing leaves the namespaces.
UPNP_CONFIG = """ext_ifname=wan0
ext_ip=11.22.33.1
listening_ip=lan0
enable_natpmp={natpmp}
enable_upnp={upnp}
min_lifetime=120
max_lifetime=86400
lease_file=
uuid=00000000-0000-4000-8000-000000000000
allow 1024-65535 10.77.0.0/24 1024-65535
deny 0-65535 0.0.0.0/0 0-65535
"""


class Judge:
    """Prints each finding, and remembers whether one was bad."""

    def __init__(self):
        self.failures = 0

    def __call__(self, name, is_right, detail):
        print(f"{'ok  ' if is_right else 'FAIL'} {name}: {detail}", flush=True)
        self.failures += not is_right

    def status(self):
        return 1 if self.failures else 0


judge = Judge()


def wait_until(seconds, condition):
    """What the condition answers, once that is something; None after so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            return None
        time.sleep(0.01)


class Space:
    """A network namespace, held by a process that sleeps in it, with a /run of its own."""

    def __init__(self, name):
        self.name = name
        self.folder = tempfile.mkdtemp(prefix=f"wharf-{name}-")
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "--net", "sh", "-c",
             "mount -t tmpfs tmpfs /run && mkdir -p /run/dbus && ip link set lo up && echo ready"
             " && exec sleep 100000"],
            stdout=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "ready\n":
            raise RuntimeError("no namespace could be made: is this root?")
        self.environment = dict(
            os.environ, DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={self.folder}/bus", LC_ALL="C.UTF-8")

    def command(self, words):
        return ["nsenter", "--target", str(self.holder.pid), "--mount", "--net", *words]

    def close(self):
        self.holder.kill()
        self.holder.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Network:
    """A home with two machines, its router, and the internet: four namespaces and their cables."""

    def __init__(self):
        self.children = []

    def __enter__(self):
        self.home, self.neighbour, self.router, self.internet = self.spaces = [
            Space(name) for name in ("home", "neighbour", "router", "internet")]
        self.cable(self.home, "wharf0", "10.77.0.2/24", "port0")
        self.cable(self.neighbour, "wharf0", "10.77.0.3/24", "port1")
        self.run(self.router, ["ip", "link", "add", "lan0", "type", "bridge"])
        for port in ("port0", "port1"):
            self.run(self.router, ["ip", "link", "set", port, "master", "lan0", "up"])
        self.address(self.router, "lan0", "10.77.0.1/24")
        self.cable(self.internet, "net0", "11.22.33.9/24", "wan0")
        self.address(self.router, "wan0", "11.22.33.1/24")
        self.run(self.router, ["sysctl", "-qw", "net.ipv4.ip_forward=1"])
        for space in (self.home, self.neighbour):
            self.run(space, ["ip", "route", "add", "default", "via", "10.77.0.1"])
        return self

    def __exit__(self, *_):
        for child in list(self.children):
            self.end(child)
        for space in self.spaces:
            space.close()

    def cable(self, space, name, address, other):
        """A cable from a machine to the router."""
        self.run(self.router, ["ip", "link", "add", other, "type", "veth", "peer", "name", name,
                               "netns", str(space.holder.pid)])
        self.run(self.router, ["ip", "link", "set", other, "up"])
        self.address(space, name, address)

    def address(self, space, name, address):
        self.run(space, ["ip", "address", "add", address, "dev", name])
        self.run(space, ["ip", "link", "set", name, "up"])

    def run(self, space, words, check=True):
        """What a command says on standard output."""
        done = subprocess.run(
            space.command(words), env=space.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {done.stderr.decode(errors='replace')}")
        return done.stdout

    def start(self, space, words, **options):
        """A process that goes on; nsenter becomes the command, so the number is its own."""
        options.setdefault("stdout", subprocess.DEVNULL)
        options.setdefault("stderr", subprocess.DEVNULL)
        child = subprocess.Popen(
            space.command(words), env=space.environment, stdin=subprocess.DEVNULL, **options)
        self.children.append(child)
        return child

    def end(self, child, number=signal.SIGTERM):
        """Ends a process by its number, and waits for it."""
        if child in self.children:
            self.children.remove(child)
        if child.poll() is None:
            child.send_signal(number)
            try:
                child.wait(15)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        return child.returncode

    def get(self, space, url):
        """The body of an answer, from a client in that place."""
        return self.run(space, ["curl", "-s", "-m", "5", "-g", url], check=False)

    @contextlib.contextmanager
    def miniupnpd(self, natpmp="yes", upnp="no"):
        """The router's daemon, with the chains that it wants; it speaks what it is told to."""
        rules = """
            table inet filter {
                chain forward { type filter hook forward priority 0; policy accept; jump miniupnpd; }
                chain miniupnpd { }
                chain prerouting { type nat hook prerouting priority -100; jump prerouting_miniupnpd; }
                chain postrouting { type nat hook postrouting priority 100; jump postrouting_miniupnpd;
                                    oifname wan0 masquerade; }
                chain prerouting_miniupnpd { }
                chain postrouting_miniupnpd { }
            }
        """
        path = pathlib.Path(self.router.folder, "rules")
        path.write_text(rules)
        self.run(self.router, ["nft", "flush", "ruleset"])
        self.run(self.router, ["nft", "-f", str(path)])
        config = pathlib.Path(self.router.folder, "miniupnpd.conf")
        config.write_text(UPNP_CONFIG.format(natpmp=natpmp, upnp=upnp))
        log = open(pathlib.Path(self.router.folder, "miniupnpd.log"), "w+")
        child = self.start(
            self.router, ["miniupnpd", "-d", "-f", str(config), "-P", f"{self.router.folder}/pid"],
            stdout=log, stderr=log)
        time.sleep(1)
        try:
            yield log
        finally:
            self.end(child)

    def mapped_ports(self):
        """What the router maps, as its rules have it."""
        rules = self.run(self.router, ["nft", "list", "ruleset"]).decode()
        return " ".join(re.findall(r"dport (\d+) .*dnat", rules))


class Daemons:
    """D-Bus and Avahi in one place."""

    def __init__(self, space):
        self.space = space
        self.processes = []
        self.avahi = None

    def __enter__(self):
        folder = pathlib.Path(self.space.folder)
        (folder / "dbus.conf").write_text(DBUS_CONFIG.format(folder=folder))
        (folder / "avahi.conf").write_text(AVAHI_CONFIG.format(name=self.space.name))
        (folder / "bus").unlink(missing_ok=True)
        self.bus = subprocess.Popen(
            self.space.command(["dbus-daemon", f"--config-file={folder}/dbus.conf", "--nofork",
                                "--nopidfile"]), env=self.space.environment,
            stderr=subprocess.DEVNULL)
        wait_until(5, (folder / "bus").exists)
        self.start_avahi()
        return self

    def start_avahi(self):
        self.avahi = subprocess.Popen(
            self.space.command(["avahi-daemon", "--no-drop-root", "--no-chroot", "-f",
                                f"{self.space.folder}/avahi.conf"]),
            env=self.space.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        answers = lambda: subprocess.run(  # noqa: E731
            self.space.command(["avahi-browse", "-at"]), env=self.space.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
        if not wait_until(10, answers):
            raise RuntimeError("avahi-daemon does not answer")

    def end_avahi(self):
        """As a crash does it."""
        self.avahi.kill()
        self.avahi.wait()

    def __exit__(self, *_):
        for process in (self.avahi, self.bus):
            process.terminate()
            process.wait()


class Browser:
    """avahi-browse, while it runs: what comes, what goes, with its records."""

    def __init__(self, space, kind):
        self.space = space
        self.kind = kind
        self.lines = []

    def __enter__(self):
        self.process = subprocess.Popen(
            self.space.command(["avahi-browse", "-rp", self.kind]), env=self.space.environment,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)
        threading.Thread(target=self.read, daemon=True).start()
        time.sleep(0.3)
        return self

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n").split(";"))

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    @staticmethod
    def plain(name):
        """avahi-browse writes bytes other than letters and digits as \\DDD."""
        raw = re.sub(rb"\\(\d{3})", lambda match: bytes([int(match.group(1))]), name.encode())
        return raw.decode(errors="replace")

    def find(self, kind, name):
        for words in list(self.lines):
            if len(words) > 3 and words[0] == kind and self.plain(words[3]) == name:
                return words
        return None

    def wait(self, kind, name, seconds=10):
        """The line that tells of a service that has come (`+`) or gone (`-`)."""
        return wait_until(seconds, lambda: self.find(kind, name))

    def resolved(self, name):
        words = self.wait("=", name)
        return words and {"host": words[6], "address": words[7], "port": words[8], "txt": words[9]}


class Served:
    """`wharf serve` while it runs."""

    def __init__(self, network, process, logs):
        self.network = network
        self.process = process
        self.logs = logs

    def text(self):
        return pathlib.Path(self.logs, "errors").read_text(errors="replace")

    def output(self):
        return pathlib.Path(self.logs, "output").read_text(errors="replace")

    def wait_for(self, pattern, seconds):
        """The log's match of a pattern."""
        # Bytes of names are escaped there.
        return wait_until(seconds, lambda: re.search(pattern, self.text()))

    def signal(self, number):
        self.process.send_signal(number)

    def cpu_seconds(self, seconds):
        """CPU that it takes while nobody asks for anything."""
        def used():
            fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1]
            return sum(int(field) for field in fields.split()[11:13]) / os.sysconf("SC_CLK_TCK")
        before = used()
        time.sleep(seconds)
        return used() - before

    def end(self):
        return self.network.end(self.process)


class Program:
    """The program under test."""

    def __init__(self, path, network, port):
        self.path = path
        self.network = network
        self.port = port

    @contextlib.contextmanager
    def serve(self, space, folder, *options, shell=None):
        """Runs `wharf serve`; after `shell`, by a shell in a mount namespace of its own."""
        words = [str(self.path), "serve", *(() if "--port" in options else ("--port", str(self.port))),
                 *options, folder]
        if shell:
            words = ["unshare", "--mount", "sh", "-c", shell + '"$@"', "sh", *words]
        with tempfile.TemporaryDirectory() as logs:
            with open(f"{logs}/output", "w") as output, open(f"{logs}/errors", "w") as errors:
                process = self.network.start(space, words, stdout=output, stderr=errors)
            served = Served(self.network, process, logs)
            if not wait_until(10, lambda: "Serving" in served.output()):
                raise RuntimeError(f"it does not serve: {served.text()}")
            try:
                yield served
            finally:
                served.end()

    def on_terminal(self, space, folder, *options, hangs_up=False):
        """Its status and what it prints on a terminal, which is closed or sends SIGINT."""
        words = space.command([str(self.path), "serve", "--port", str(self.port), *options, folder])
        number, terminal = pty.fork()
        if number == 0:
            os.execvpe(words[0], words, space.environment)
        text = b""
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            ready, _, _ = select.select([terminal], [], [], 0.1)
            if ready:
                text += os.read(terminal, 65536)
        if not hangs_up:
            os.write(terminal, b"\x03")
            time.sleep(0.5)
        os.close(terminal)
        def status():
            which, code = os.waitpid(number, os.WNOHANG)
            return (os.waitstatus_to_exitcode(code),) if which else None

        ended = wait_until(10, status)
        if ended is None:
            os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)
        return ended and ended[0], text.decode(errors="replace")

    def read_code(self, rows):
        """What zbar reads in the rows of a terminal, of two modules each."""
        modules = []
        for row in rows:
            modules.append([character in "█▀" for character in row])
            modules.append([character in "█▄" for character in row])
        scale = 6
        width = len(modules[0]) * scale if modules else 0
        with tempfile.NamedTemporaryFile(suffix=".pbm", mode="w") as image:
            image.write(f"P1\n{width} {len(modules) * scale}\n")
            for row in modules:
                line = " ".join("1" if is_dark else "0" for is_dark in row for _ in range(scale))
                image.write((line + "\n") * scale)
            image.flush()
            read = subprocess.run(
                ["zbarimg", "-q", "--raw", image.name], stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, check=False)
        return read.stdout.strip()
