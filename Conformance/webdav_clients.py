#!/usr/bin/env python3
"""Real clients work in a drive of `wharf serve`, and what they did is looked at on its disk.

`webdav_clients.py [--only NAME,...] [--python FILE]`: cadaver, davfs2, rclone (as "other", as ownCloud,
and mounted), GNOME's gio, davix, curl, and three libraries of Python (webdav_libraries.py). Mounting needs
root and /dev/fuse. Ends with 1 if a step failed or a client is not there.
"""

import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

from report import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

ODD = "Fräulein #%?& 'x'.txt"


class Session:
    """A place for one client: its own folder on the drive, and one for its files."""

    def __init__(self, name, url, share, place):
        self.name, self.url, self.share, self.place = name, url, share / name, place
        self.failures, self.count = [], 0
        share.joinpath(name).mkdir()
        (place / "small").write_text("hello\n")
        (place / "large").write_bytes(os.urandom(3_000_000))
        self.environment = dict(
            os.environ, LC_ALL="C.UTF-8", HOME=str(place), U=url, N=name, D=f"{url}{name}",
            S=str(self.share), T=str(place), ODD=ODD)

    def run(self, step, command, check=None, seconds=60):
        """One step: a line of bash, and what has to be true of the drive's folder then."""
        self.count += 1
        try:
            done = subprocess.run(["bash", "-c", command], env=self.environment, cwd=self.place,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=seconds, check=False)
            reason = done.stdout.decode(errors="replace")[-300:] if done.returncode else None
        except subprocess.TimeoutExpired:
            reason = f"not done after {seconds} s"
        if reason is None and check is not None and not check():
            reason = f"it did not happen: {sorted(p.name for p in self.share.rglob('*'))}"
        if reason is not None:
            self.failures.append(f"{self.name}: {step}: {reason}")
        return reason is None

    def has(self, name, like=None):
        path = self.share / name
        return path.exists() and (like is None or path.read_bytes() == (self.place / like).read_bytes())

    def lacks(self, name):
        return not (self.share / name).exists()


def mounted(session, mount, unmount):
    """What people do in a mounted folder."""
    place = session.place / "mount"
    place.mkdir()
    session.environment["M"] = str(place)
    if not session.run("mount", mount):
        return
    try:
        session.environment["W"] = str(place / session.name)
        run = session.run
        run("make a folder", 'mkdir "$W/a" && sync', lambda: session.has("a"))
        run("write", 'cp $T/small "$W/a/s" && cp $T/large "$W/a/l" && cmp $T/large "$W/a/l"')
        run("append", 'echo more >> "$W/a/s" && grep -q more "$W/a/s"')
        run("rename", 'mv "$W/a/s" "$W/a/t" && mv "$W/a" "$W/b"')
        run("an odd name", 'cp $T/small "$W/b/$ODD" && ls "$W/b" | grep -qF "$ODD"')
        # rclone loses its way when a file is renamed while it is uploaded.
        run("replace", 'cp $T/small "$W/b/n" && sleep 1 && mv "$W/b/n" "$W/b/t" && cmp $T/small "$W/b/t"')
        run("many", 'for i in $(seq 40); do echo $i > "$W/b/$i.txt"; done; [ $(ls "$W/b" | wc -l) = 43 ]')
        run("free space", 'df "$M" | tail -n 1')
    finally:
        session.run("unmount", unmount)
    session.run("all of it is there", "true",
                lambda: session.has("b/l", "large") and session.has(f"b/{ODD}", "small")
                and session.has("b/t", "small") and session.has("b/40.txt") and session.lacks("a"))


def davfs(session):
    (session.place / "conf").write_text(
        "ask_auth 0\nuse_locks 1\ndelay_upload 0\nbuf_size 64\ngui_optimize 0\ndir_refresh 1\n")
    (session.place / "conf").chmod(0o600)
    session.place.chmod(0o755)
    mounted(session, 'mount -t davfs -o conf=$T/conf,uid=0,gid=0 "$U" "$M"', 'umount "$M"')


RCLONE = "RCLONE_CONFIG=$T/rc RCLONE_CONFIG_D_TYPE=webdav RCLONE_CONFIG_D_URL=$U RCLONE_CONFIG_D_VENDOR={}"


def rclone_mount(session):
    (session.place / "rc").touch()
    mounted(session, RCLONE.format("other") + ' rclone mount --daemon d: "$M" --vfs-cache-mode writes'
            " --vfs-write-back 0s --cache-dir $T/cache --dir-cache-time 1s",
            # It uploads and renames when it has time.
            'for i in $(seq 150); do [ -e "$S/b/40.txt" ] && [ ! -e "$S/b/n" ] && break; sleep 0.1; done; '
            'for i in $(seq 50); do fusermount3 -u "$M" && break; sleep 0.2; done')


def rclone(session, vendor):
    (session.place / "rc").touch()
    source = session.place / "source"
    (source / "deep" / "er").mkdir(parents=True)
    for number in range(5):
        (source / f"f{number}").write_bytes(os.urandom(1000 * number))
        (source / "deep" / "er" / f"{number} {ODD}").write_text(str(number))
    os.utime(source / "f1", (1_580_702_706, 1_580_702_706))
    base = RCLONE.format(vendor) + " rclone --retries 1 "
    run = session.run
    run("copy", base + "copy source d:$N", lambda: session.has("f4", "source/f4"))
    run("compare", base + "check --download source d:$N")
    run("nothing to copy again", base + "copy -v source d:$N 2>&1 | grep -q 'nothing to transfer'")
    run("sync", f"rm source/f4; {base} sync source d:$N", lambda: session.lacks("f4"))
    run("copy there", base + "copyto d:$N/f2 d:$N/g2", lambda: session.has("g2", "source/f2"))
    run("move there", base + "moveto d:$N/g2 d:$N/h2", lambda: session.lacks("g2"))
    run("move a folder", base + "moveto d:$N/deep d:$N/deep2", lambda: session.has("deep2/er"))
    run("a stream", f"echo streamed | {base} rcat d:$N/stream", lambda: session.has("stream"))
    run("a part", f"[ $({base} cat --offset 10 --count 5 d:$N/f3 | wc -c) = 5 ]")
    run("free space", base + "about d: | grep -q Free")
    if vendor == "owncloud":
        run("times", base + "lsl d:$N/f1 | grep -q 2020-02-03")
        run("hashes", f"[ $({base} sha1sum d:$N/f3 | cut -d' ' -f1) = $(sha1sum source/f3 | cut -d' ' -f1) ]")
        run("compare by hash", base + "check source/f3 d:$N")
    run("remove all", base + "purge d:$N", lambda: not session.share.exists())


def gio(session):
    script = session.place / "session"
    script.write_text("""set -e
D=${D/http:/dav:}; U=${U/http:/dav:}; set -x
gio mount $U
gio mkdir $D/a
gio copy small $D/a/s; gio copy large $D/a/l
gio list -l $D/a | grep -q s
gio info $D/a/l | grep -q 3000000
gio cat $D/a/l | cmp - large
echo new | gio save $D/a/s; gio cat $D/a/s | grep -q new
gio copy $D/a/l $D/a/m; gio rename $D/a/m n; gio move $D/a/n $D/b
gio info -f $U | grep -q filesystem::free
gio remove $D/a/l; gio trash $D/a/none 2>/dev/null || true
sleep 1; gio mount -u $U
""")
    session.run("a session", "GIO_USE_VOLUME_MONITOR=unix GVFS_REMOTE_VOLUME_MONITOR_IGNORE=1 "
                "dbus-run-session -- bash session", lambda: session.has("b", "large")
                and (session.share / "a" / "s").read_text() == "new\n" and session.lacks("a/l"), 90)


def cadaver(session):
    script = session.place / "script"
    script.write_text("\n".join([
        f"cd {session.name}", "mkcol c", "cd c", "put small", "put large l", "ls", "cat small",
        "copy small s2", "move s2 s3", "lock small", "discover small", "put small", "unlock small",
        "propset small color blue", "propget small color", "get l back", "mkcol gone", "rmcol gone", "quit"]))
    session.run("a session", "cadaver $U < script > log 2>&1; cat log; ! grep -iE 'failed|error' log",
                lambda: session.has("c/s3", "small") and session.has("c/l", "large")
                and session.lacks("c/s2") and session.lacks("c/gone")
                and "blue" in (session.place / "log").read_text())
    session.run("what was fetched", "cmp large back")


def davix(session):
    run = session.run
    run("make a folder", "davix-mkdir $D/a", lambda: session.has("a"))
    run("put", "davix-put small $D/a/s && davix-put large $D/a/l", lambda: session.has("a/l", "large"))
    run("list", "davix-ls $D/a | grep -q l")
    run("get", "davix-get $D/a/l back && cmp large back")
    run("remove", "davix-rm $D/a/s && davix-rm $D/a/l && davix-rm $D/a", lambda: session.lacks("a"))


def curl(session):
    run = session.run
    run("put", "curl -sf -T large $D/l", lambda: session.has("l", "large"))
    run("a stream", "curl -sf -T - $D/s < small", lambda: session.has("s", "small"))
    run("a part is refused, and harms nothing", "! curl -sf -C 2999000 -T large $D/l",
        lambda: session.has("l", "large"))
    run("resume a download", "head -c 1000000 large > part && curl -sf -C - -o part $D/l && cmp part large")
    run("move", "curl -sf -X MOVE -H 'Destination: /curl/m' $D/l", lambda: session.has("m", "large"))
    run("list", "curl -sf -X PROPFIND -H 'Depth: 1' $D | xmllint --noout -")
    run("remove", "curl -sf -X DELETE $D/m", lambda: session.lacks("m"))


def libraries(session, python):
    script = ROOT / "Conformance" / "webdav_libraries.py"
    session.run("webdavclient3, webdav4, easywebdav", f"{shlex.quote(python)} {shlex.quote(str(script))} $D/")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.PROGRAMS / "wharf",
                        help="the program (default: the release build's)")
    parser.add_argument("--only", default="", help="the clients, with commas between")
    parser.add_argument("--python", default=str(ROOT / ".build-clients" / "bin" / "python"),
                        help="a Python that has the libraries")
    options = parser.parse_args()
    clients = {
        "curl": (curl, ["curl", "xmllint"]), "cadaver": (cadaver, ["cadaver"]),
        "davix": (davix, ["davix-put"]), "davfs": (davfs, ["mount.davfs"]),
        "rclone": (lambda session: rclone(session, "other"), ["rclone"]),
        "rclone-owncloud": (lambda session: rclone(session, "owncloud"), ["rclone"]),
        "rclone-mount": (rclone_mount, ["rclone", "fusermount3"]),
        "gio": (gio, ["gio", "dbus-run-session"]),
        "libraries": (lambda session: libraries(session, options.python), [options.python]),
    }
    names = options.only.split(",") if options.only else list(clients)
    failures = []
    for name in names:
        client, programs = clients[name]
        missing = [program for program in programs if not shutil.which(program)]
        if missing:
            failures.append(f"{name}: not installed: {', '.join(missing)}")
            continue
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as place:
            command = f"{shlex.quote(str(pathlib.Path(options.server).resolve()))} serve --writable " \
                      f"--log-level error --port {{port}} {shlex.quote(folder)}"
            with harness.Server(command) as server:
                url = f"http://127.0.0.1:{server.port}/"
                session = Session(name, url, pathlib.Path(folder), pathlib.Path(place))
                client(session)
        print(f"{name}: {session.count - len(session.failures)} of {session.count} steps", flush=True)
        failures += session.failures
    for failure in failures:
        print(f"    {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
