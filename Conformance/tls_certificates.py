"""An authority and what it signs, for the suites of TLS: made by the program `openssl`."""

import pathlib
import subprocess


def openssl(*words, **more):
    return subprocess.run(
        ["openssl", *map(str, words)], check=True, capture_output=True, **more).stdout


class Authority:
    """A root, an authority below it, and identities for hosts and clients, as files in a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.root = self.make("root", "/CN=Test Root", "basicConstraints=critical,CA:TRUE\n"
                              "keyUsage=critical,keyCertSign,cRLSign\n", None)
        self.middle = self.make("middle", "/CN=Test Authority",
                                "basicConstraints=critical,CA:TRUE,pathlen:0\n"
                                "keyUsage=critical,keyCertSign,cRLSign\n", "root")

    def path(self, name):
        return self.folder / name

    def make(self, name, subject, extensions, signer, kind="EC"):
        """A key and a certificate that `signer` signs, or the key itself; the certificate's file."""
        key, request, certificate = (self.path(f"{name}.{end}") for end in ("key", "csr", "crt"))
        how = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        if kind == "RSA":
            how = ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
        openssl("genpkey", *how, "-out", key)
        openssl("req", "-new", "-key", key, "-subj", subject, "-out", request)
        self.path("extensions").write_text(
            extensions + "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n")
        by = ["-signkey", key]
        if signer:
            by = ["-CA", self.path(f"{signer}.crt"), "-CAkey", self.path(f"{signer}.key"),
                  "-CAcreateserial"]
        openssl("x509", "-req", "-in", request, *by, "-days", "90", "-sha256",
                "-extfile", self.path("extensions"), "-out", certificate)
        return certificate

    def server(self, name, hosts, kind="EC"):
        """An identity for hosts with its chain and key in one file."""
        names = ",".join(("IP:" if host[0].isdigit() else "DNS:") + host for host in hosts)
        certificate = self.make(
            name, f"/CN={hosts[0]}", "basicConstraints=critical,CA:FALSE\n"
            "keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n"
            f"subjectAltName={names}\n", "middle", kind)
        return self.bundle(name, certificate)

    def client(self, name):
        """An identity for a client, likewise."""
        certificate = self.make(
            name, f"/CN={name}", "basicConstraints=critical,CA:FALSE\n"
            "keyUsage=critical,digitalSignature\nextendedKeyUsage=clientAuth\n", "middle")
        return self.bundle(name, certificate)

    def bundle(self, name, certificate):
        bundle = self.path(f"{name}.pem")
        bundle.write_text("".join(
            file.read_text() for file in (certificate, self.middle, self.path(f"{name}.key"))))
        return bundle

    def pkcs12(self, name, password):
        """The identity once more, as PKCS#12."""
        file = self.path(f"{name}.p12")
        openssl("pkcs12", "-export", "-in", self.path(f"{name}.crt"), "-inkey",
                self.path(f"{name}.key"), "-certfile", self.middle, "-out", file,
                "-passout", f"pass:{password}")
        return file
