#!/usr/bin/env python3
"""How others find `wharf serve`: Bonjour, port mapping, passed sockets, SIGHUP, the QR code.

Ends with 1 if anything is not as it should be. It needs root: it makes network namespaces of its own, a
home with this machine and a neighbour, a router (miniupnpd) and the internet behind it, so that nothing
of it leaves them. Avahi's daemons, and D-Bus's, are started there, on a /run of their own, and ended by
their numbers.
"""

import argparse
import os
import pathlib
import re
import signal
import sys
import tempfile
import time

from report import ROOT

sys.path.insert(0, str(ROOT / "Conformance"))
from discovery_parts import Browser, Daemons, Network, Program, judge  # noqa: E402

DEFAULT = ROOT / ".build-release" / "release" / "wharf"
# Built with the trait PortMapping.
WITH_UPNP = ROOT / ".build-mapping" / "debug" / "wharf"
PORT = 8080
# Seconds; those of the proof. RFC 6762 section 10.1: what is taken back stays with those that know it for
# one second more, on the same machine too.
FOUND_MAX = 2.0
GONE_MAX = 1.0 + 0.25


def bonjour(network, program, folder):
    """Found with name, port and TXT; gone when it ends; renamed; there again after the daemon."""
    home, neighbour = Daemons(network.home), Daemons(network.neighbour)
    with home, neighbour:
        with Browser(network.neighbour, "_http._tcp") as browser, \
                Browser(network.neighbour, "_webdav._tcp") as drives:
            started = time.monotonic()
            with program.serve(network.home, folder, "--lan", "--bonjour", "Bücher & Co") as server:
                found = browser.wait("+", "Bücher & Co")
                took = time.monotonic() - started
                judge("announced in time", found is not None and took < FOUND_MAX,
                      f"seen by a neighbour {took:.2f} s after the start")
                record = browser.resolved("Bücher & Co")
                judge("name, port and TXT", record is not None
                      and record["port"] == str(PORT) and '"path=/"' in record["txt"],
                      str(record))
                judge("announced as a drive, too",
                      drives.resolved("Bücher & Co") is not None, "_webdav._tcp")
                if record is not None:
                    body = network.get(network.neighbour,
                                       f"http://{record['address']}:{record['port']}/file")
                    judge("what is announced can be had", body == b"content", repr(body))
                with Browser(network.home, "_http._tcp") as own:
                    own.wait("+", "Bücher & Co")
                    gone(server, own, browser)
        conflict(network, program, folder)
        daemon_dies(network, program, folder, home)
    without_daemon(network, program, folder)


def gone(server, own, browser):
    """The goodbye is sent at once."""
    ended = time.monotonic()
    server.signal(signal.SIGTERM)
    here = own.wait("-", "Bücher & Co")
    took = time.monotonic() - ended
    judge("gone in time", here is not None and took < GONE_MAX,
          f"avahi-browse on the machine says so {took:.2f} s after SIGTERM")
    there = browser.wait("-", "Bücher & Co")
    took = time.monotonic() - ended
    judge("gone for a neighbour, too", there is not None and took < GONE_MAX,
          f"after {took:.2f} s")
    judge("the process has ended", server.end() == 0, "status 0")


def conflict(network, program, folder):
    """Somebody in the network has the name already."""
    taken = network.start(network.neighbour, ["avahi-publish", "-s", "Shelf", "_http._tcp", "9"])
    try:
        with Browser(network.home, "_http._tcp") as browser:
            browser.wait("+", "Shelf")
            with program.serve(network.home, folder, "--lan", "--bonjour", "Shelf") as server:
                line = server.wait_for(r'announced as "(Shelf[^"]+)" \(_http', 10)
                name = line.group(1) if line else "Shelf #2"
                record = browser.resolved(name)
                judge("a conflict is renamed", line is not None and record is not None
                      and record["port"] == str(PORT), f"{line and line.group(0)}; {record}")
    finally:
        network.end(taken)


def daemon_dies(network, program, folder, home):
    """The server lives on, and is announced again when there is a daemon again."""
    with program.serve(network.home, folder, "--lan", "--bonjour", "Shelf") as server:
        server.wait_for(r"announced as", 10)
        home.end_avahi()
        lost = server.wait_for(r"_http\._tcp is not announced", 5)
        body = network.get(network.home, f"http://127.0.0.1:{PORT}/file")
        judge("the daemon dies, the server lives", lost is not None and body == b"content",
              lost.group(0) if lost else server.text())
        busy = server.cpu_seconds(2)
        judge("nothing spins meanwhile", busy < 0.1, f"{busy:.2f} s of CPU in 2 s")
        home.start_avahi()
        started = time.monotonic()
        with Browser(network.neighbour, "_http._tcp") as browser:
            found = browser.wait("+", "Shelf", 20)
            judge("announced again when it is back", found is not None,
                  f"after {time.monotonic() - started:.1f} s")
        judge("ends well after that", server.end() == 0, "status 0")
    with program.serve(network.home, folder, "--lan", "--bonjour", "Shelf") as server:
        server.wait_for(r"announced as", 10)
        home.avahi.send_signal(signal.SIGSTOP)
        started = time.monotonic()
        status = server.end()
        took = time.monotonic() - started
        home.avahi.send_signal(signal.SIGCONT)
        judge("a daemon that hangs holds nobody up", status == 0 and took < 2,
              f"ended {took:.2f} s after SIGTERM")
    with program.serve(network.home, folder, "--lan", "--bonjour", "Shelf") as server:
        server.wait_for(r"announced as", 10)
        home.bus.kill()
        home.bus.wait()
        lost = server.wait_for(r"_http\._tcp is not announced", 5)
        body = network.get(network.home, f"http://127.0.0.1:{PORT}/file")
        judge("D-Bus dies, the server lives", lost is not None and body == b"content",
              f"status {server.end()}")


def without_daemon(network, program, folder):
    """No daemon, and no library: a clear line, and the server goes on."""
    with program.serve(network.home, folder, "--lan", "--bonjour", "Shelf") as server:
        line = server.wait_for(r"not announced.*", 10)
        body = network.get(network.home, f"http://127.0.0.1:{PORT}/file")
        judge("without a daemon", line is not None and body == b"content",
              line.group(0) if line else server.text())
    library = next(pathlib.Path("/usr/lib").glob("*/libdns_sd.so.1"), None)
    hide = f"mount --bind /dev/null {library} && exec " if library else "exec "
    with program.serve(network.home, folder, "--lan", "--bonjour", "Shelf", shell=hide) as server:
        line = server.wait_for(r"there is no libdns_sd.*", 10)
        body = network.get(network.home, f"http://127.0.0.1:{PORT}/file")
        judge("without the library", line is not None and body == b"content",
              line.group(0) if line else server.text())


def mapping(network, program, folder):
    """A real miniupnpd gives a port, by which the internet gets in, and takes it back."""
    with network.miniupnpd():
        given_and_ended(network, program, folder, "NAT-PMP")
    with program.serve(network.home, folder, "--lan", "--nat") as server:
        line = server.wait_for(r"port mapping failed.*", 15)
        body = network.get(network.home, f"http://127.0.0.1:{PORT}/file")
        judge("without a router that maps", line is not None and body == b"content",
              line.group(0) if line else server.text())


def given_and_ended(network, program, folder, method):
    """A port of the router's, while the program runs."""
    with program.serve(network.home, folder, "--lan", "--nat", "--log-level", "info") as server:
        line = server.wait_for(r"the router's (\S+) leads here \((\S+)\)", 15)
        where, how = line.groups() if line else ("11.22.33.1:8080", None)
        body = network.get(network.internet, f"http://{where}/file")
        judge(f"the router gives a port by {method}", how == method and body == b"content",
              f"{line and line.group(0)}: {body!r} from the internet")
        ended = time.monotonic()
        status = server.end()
        took = time.monotonic() - ended
    left = network.mapped_ports()
    judge("the mapping is ended", status == 0 and where.split(":")[1] not in left,
          f"{took:.2f} s; left: {left or 'none'}")


def upnp(network, program, folder):
    """The same by a router that speaks UPnP alone; and one whose port is another's already."""
    program = Program(program.with_upnp, network, PORT)
    with network.miniupnpd(natpmp="no", upnp="yes"):
        given_and_ended(network, program, folder, "UPnP")
        network.run(network.neighbour, ["upnpc", "-a", "10.77.0.3", "9000", str(PORT), "TCP"])
        given_and_ended(network, program, folder, "UPnP")
        judge("a neighbour's mapping stays", str(PORT) in network.mapped_ports(),
              network.mapped_ports())
    with program.serve(network.home, folder, "--lan", "--nat") as server:
        line = server.wait_for(r"port mapping failed.*UPnP.*", 15)
        judge("without a router that speaks UPnP", line is not None, line and line.group(0))


def activation(network, program, folder):
    """systemd-socket-activate listens, and starts the program with the first client."""
    socket_path = f"{folder}/.socket"
    activated = network.start(network.home, [
        "systemd-socket-activate", "-l", "127.0.0.1:8099", "-l", socket_path, "--fdname=web:unix",
        str(program.path), "serve", folder])
    try:
        time.sleep(0.5)
        bodies = [network.get(network.home, "http://127.0.0.1:8099/file") for _ in range(3)]
        by_path = network.run(network.home, [
            "curl", "-s", "--unix-socket", socket_path, "http://localhost/file"])
        judge("systemd-socket-activate", bodies == [b"content"] * 3 and by_path == b"content",
              f"{bodies}, {by_path!r} by the Unix socket")
    finally:
        status = network.end(activated)
    judge("the passed Unix socket's path stays", os.path.exists(socket_path), socket_path)
    judge("ends well", status == 0, f"status {status}")


def hang_up(network, program, folder):
    """SIGHUP reloads, and the server goes on."""
    with program.serve(network.home, folder) as server:
        server.signal(signal.SIGHUP)
        line = server.wait_for(r"reloaded", 5)
        body = network.get(network.home, f"http://127.0.0.1:{PORT}/file")
        judge("SIGHUP reloads", line is not None and body == b"content", server.text())
    status, _ = program.on_terminal(network.home, folder, hangs_up=True)
    judge("the terminal's end ends it", status == 0, f"status {status}")


def code(network, program, folder):
    """What a camera reads from the terminal is the first URL."""
    _, text = program.on_terminal(network.home, folder, "--lan")
    url = re.search(r"at (http://10\.77\S+)", text)
    rows = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text.splitlines() if "\x1b[38" in line]
    read = program.read_code(rows)
    judge("the QR code on a terminal", url is not None and read == url.group(1),
          f"zbar reads {read!r}, {len(rows)} lines")


def ports(network, program, folder):
    """The first port of a range that is free; an interface's addresses."""
    with program.serve(network.home, folder, "--bind", "127.0.0.1"):
        with program.serve(network.home, folder, "--port", "8080-8083", "--bind", "wharf0") as other:
            judge("an interface has its own addresses", ":8080/" in other.output(),
                  other.output().strip())
        with program.serve(network.home, folder, "--port", "8080-8083") as other:
            judge("a range of ports", ":8081/" in other.output(), other.output().strip())


def proxy(network, program, folder):
    """The article's example for nginx: the client's address, its name for the server, an upload."""
    article = (ROOT / "Sources/Wharf/Wharf.docc/BehindAProxy.md").read_text()
    example = article.split("```nginx\n", 1)[1].split("```", 1)[0]
    with tempfile.TemporaryDirectory() as place:
        config = pathlib.Path(place, "nginx.conf")
        config.write_text(f"daemon off; pid {place}/pid; error_log {place}/log; user root;\n"
                          f"events {{ }} http {{ access_log off; client_body_temp_path {place}/body;\n"
                          f"{example} }}")
        nginx = network.start(network.home, ["nginx", "-p", place, "-c", str(config)])
        options = ["--host", "files.example.org", "--trust-proxy", "127.0.0.0/8", "--writable",
                   "--access-log"]
        with program.serve(network.home, folder, *options) as server:
            time.sleep(0.5)
            ask = ["curl", "-s", "-m", "5", "--resolve", "files.example.org:80:10.77.0.2"]
            url = "http://files.example.org"
            body = network.run(network.neighbour, [*ask, f"{url}/file"], check=False)
            sent = network.run(network.neighbour, [
                *ask, "-T", __file__, "-o", "/dev/null", "-w", "%{http_code}", f"{url}/sent"],
                check=False)
            refused = network.run(network.neighbour, [
                *ask, "-H", "Origin: http://evil.example", "-X", "DELETE", "-o", "/dev/null", "-w",
                "%{http_code}", f"{url}/sent"], check=False)
            line = server.wait_for(r"10\.77\.0\.3:\d+ GET /file 200", 5)
            judge("behind nginx", body == b"content" and line is not None
                  and sent in (b"201", b"204") and refused == b"403",
                  f"{body!r}, upload {sent!r}, foreign page {refused!r}, {line and line.group(0)}")
        network.end(nginx)


CHECKS = {check.__name__: check
          for check in [bonjour, mapping, upnp, activation, hang_up, code, ports, proxy]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=DEFAULT, help="the program (default: the release build's)")
    parser.add_argument("--upnp-server", default=WITH_UPNP,
                        help="one with the trait PortMapping (default: what make discovery builds)")
    parser.add_argument("checks", nargs="*", choices=[[], *CHECKS], help="some of them")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("skipped: it takes root to make network namespaces")
        return 0
    if not options.inside:
        os.execvp("unshare", [
            "unshare", "--mount", "--net", "--fork", "--kill-child", sys.executable, __file__,
            "--inside", *sys.argv[1:]])
    with tempfile.TemporaryDirectory() as folder, Network() as network:
        pathlib.Path(folder, "file").write_text("content")
        program = Program(pathlib.Path(options.server).resolve(), network, PORT)
        program.with_upnp = pathlib.Path(options.upnp_server).resolve()
        for name in options.checks or CHECKS:
            CHECKS[name](network, program, folder)
    return judge.status()


if __name__ == "__main__":
    sys.exit(main())
