#!/usr/bin/env python3
"""Real clients over TLS: curl, Python, node, Java and Chromium; chain, SNI, certificates, resumption."""

import http.client
import pathlib
import shutil
import ssl
import subprocess
import sys
import tempfile

from report import ROOT
from tls_certificates import Authority

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

NODE = """
const https = require('https'), fs = require('fs'), tls = require('tls');
const [port, ca, pem, name] = process.argv.slice(2);
const agent = new https.Agent({keepAlive: false, maxCachedSessions: 10});
function ask(done) {
  https.get({host: 'localhost', port, path: '/tls', ca: fs.readFileSync(ca), servername: name,
    cert: fs.readFileSync(pem), key: fs.readFileSync(pem), agent}, answer => {
      let text = ''; answer.on('data', d => text += d); answer.on('end', () => done(text));
  }).on('error', e => { console.log(e.message); process.exit(1); });
}
ask(() => setTimeout(() => ask(text => console.log(text)), 100));
"""

JAVA = """
import java.io.*; import java.net.*; import java.nio.file.*; import java.security.*;
import java.security.cert.*; import javax.net.ssl.*;
public class Ask {
  public static void main(String[] a) throws Exception {
    KeyStore trust = KeyStore.getInstance(KeyStore.getDefaultType()); trust.load(null, null);
    trust.setCertificateEntry("root", CertificateFactory.getInstance("X.509")
        .generateCertificate(new FileInputStream(a[1])));
    TrustManagerFactory t = TrustManagerFactory.getInstance("PKIX"); t.init(trust);
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(new FileInputStream(a[2]), "secret".toCharArray());
    KeyManagerFactory k = KeyManagerFactory.getInstance("PKIX"); k.init(own, "secret".toCharArray());
    SSLContext c = SSLContext.getInstance("TLS");
    c.init(k.getKeyManagers(), t.getTrustManagers(), null);
    for (int i = 0; i < 2; i++) {
      HttpsURLConnection u = (HttpsURLConnection)
          new URI("https://localhost:" + a[0] + "/tls").toURL().openConnection();
      u.setSSLSocketFactory(c.getSocketFactory()); u.setRequestProperty("Connection", "close");
      String text = new String(u.getInputStream().readAllBytes());
      if (i == 1) System.out.println(text);
    }
  }
}
"""


def run(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=120)
    return done.stdout + (done.stderr if done.returncode else "")


def ask_python(port, authority, version):
    context = ssl.create_default_context(cafile=authority.root)
    context.maximum_version = version
    context.load_cert_chain(authority.path("visitor.pem"))
    session, text = None, ""
    for _ in range(2):
        raw = __import__("socket").create_connection(("localhost", port), 10)
        with context.wrap_socket(raw, server_hostname="localhost", session=session) as secure:
            secure.sendall(b"GET /tls HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            answer = http.client.HTTPResponse(secure)
            answer.begin()
            text = answer.read().decode()
            session = secure.session
    return text


class Checks:
    def __init__(self):
        self.failed = 0

    def see(self, name, text, *wanted):
        missing = [one for one in wanted if one not in text]
        self.failed += bool(missing)
        print(f"{'FAILED' if missing else 'ok':6} {name}")
        if missing:
            print(f"       lacks {missing}: {text.strip()[:600]!r}")


def check_all(port, authority, checks):
    root, visitor = authority.root, authority.path("visitor.pem")
    curl = ["curl", "-sS", "--max-time", "20", "--cacert", root]
    url = f"https://localhost:{port}/tls"
    checks.see("curl: chain", run(*curl, url), "TLS 1.3", "protocol: http/1.1", "client: -")
    checks.see("curl: an address", run(*curl, f"https://127.0.0.1:{port}/tls"), "name: -")
    checks.see("curl: TLS 1.2", run(*curl, "--tls-max", "1.2", url), "TLS 1.2", "ECDHE")
    checks.see("curl: TLS 1.1 is refused", run(*curl, "--tls-max", "1.1", url), "curl: (35)")
    checks.see("curl: an unknown authority", run("curl", "-sS", url), "curl: (60)")
    other = ["--connect-to", f"other.test:{port}:127.0.0.1:{port}"]
    checks.see("curl: SNI", run(*curl, *other, f"https://other.test:{port}/tls"),
               "name: other.test")
    wild = ["--connect-to", f"a.wild.test:{port}:127.0.0.1:{port}"]
    checks.see("curl: SNI with an asterisk", run(*curl, *wild, f"https://a.wild.test:{port}/tls"),
               "name: a.wild.test")
    checks.see("curl: an RSA key for the same host",
               run(*curl, "--tls-max", "1.2", "--ciphers", "ECDHE-RSA-AES128-GCM-SHA256", url),
               "ECDHE-RSA-AES128-GCM-SHA256")
    checks.see("curl: a client's certificate", run(*curl, "--cert", visitor, url),
               "client: CN=visitor")
    checks.see("curl: a client's certificate of nobody",
               run(*curl, "--cert", authority.path("stranger.pem"), url), "curl: (")
    checks.see("curl: plain HTTP", run("curl", "-sS", "-i", f"http://localhost:{port}/"),
               "400", "https://")
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        checks.see(f"Python: {version.name}, resumed, a client's certificate",
                   ask_python(port, authority, version), "resumed: true", "client: CN=visitor")
    script = authority.path("ask.js")
    script.write_text(NODE)
    checks.see("node: resumed, a client's certificate",
               run("node", script, port, root, visitor, "localhost"),
               "resumed: true", "client: CN=visitor")
    authority.path("Ask.java").write_text(JAVA)
    checks.see("Java: PKCS#12, resumed, a client's certificate",
               run("java", authority.path("Ask.java"), port, root,
                   authority.pkcs12("visitor", "secret")), "resumed: true", "client: CN=visitor")


def check_chromium(port, authority, checks):
    """It reads the authorities of a database below its home."""
    home = authority.path("home")
    database = home / ".pki/nssdb"
    database.mkdir(parents=True)
    run("certutil", "-N", "--empty-password", "-d", f"sql:{database}")
    run("certutil", "-A", "-d", f"sql:{database}", "-n", "root", "-t", "C,,", "-i", authority.root)
    program = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
    text = subprocess.run(
        ["timeout", "60", program, "--headless=new", "--no-sandbox", "--disable-gpu",
         "--disable-background-networking", f"--user-data-dir={home}/profile", "--dump-dom",
         f"https://localhost:{port}/tls"],
        capture_output=True, text=True, env={"HOME": str(home), "PATH": "/usr/bin:/bin"})
    checks.see("Chromium: chain, no warning", text.stdout, "TLS 1.3", "name: localhost")


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(folder)
        names = ["localhost", "127.0.0.1"]
        files = [authority.server("server", names), authority.server("rsa", names, "RSA"),
                 authority.server("other", ["other.test", "*.wild.test"])]
        # The last one as PKCS#12.
        files[-1] = authority.pkcs12("other", "secret")
        authority.client("visitor")
        stranger = pathlib.Path(folder) / "strangers"
        stranger.mkdir()
        Authority(stranger).client("stranger").rename(authority.path("stranger.pem"))
        tls = ",".join(map(str, files))
        command = f" --quiet --tls {tls} --client-ca {authority.root}"
        with harness.Server(harness.CONFORMANCE_SERVER + command) as server:
            check_all(server.port, authority, checks)
        # A browser would ask which certificate to show.
        with harness.Server(harness.CONFORMANCE_SERVER + f" --quiet --tls {files[0]}") as server:
            check_chromium(server.port, authority, checks)
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
