#!/usr/bin/env python3
"""Every call of OpenSSL's that can fail, fails once: the program goes on, or says why it can't.

A library that is loaded before the program (LD_PRELOAD) stands in for OpenSSL's functions, and answers a
chosen call without making it. The calls are those of a server that is asked in TLS 1.2 and 1.3, shown a
client's certificate, and reloaded; of `wharf upload` to it; and of `wharf serve --tls-self-signed` while it
starts. Ends with 1 if a program dies of a signal, a server does not serve on, or grows.
"""

import argparse
import mmap
import os
import pathlib
import shutil
import signal
import ssl
import struct
import subprocess
import sys
import tempfile
import time

from report import ROOT
from tls_certificates import Authority
from tls_memory import ask, message

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

# What each function answers when it fails. Those of hashes and of random bytes for other uses than TLS are
# left out: without them there is no going on (WharfCrypto).
FAILURES = {
    0: """ASN1_TIME_set ASN1_TIME_to_tm BIO_new BIO_new_mem_buf BIO_meth_new BIO_meth_set_ctrl
          BIO_meth_set_read BIO_meth_set_write BN_bin2bn BN_to_ASN1_INTEGER EVP_Digest EVP_PKEY_Q_keygen
          EVP_PKEY_up_ref OPENSSL_sk_new_null OPENSSL_sk_push PEM_read_bio_PrivateKey
          PEM_read_bio_X509_AUX PEM_write_bio_PKCS8PrivateKey PEM_write_bio_X509 PKCS12_parse
          SSL_CTX_add_client_CA SSL_CTX_new SSL_CTX_set_cipher_list SSL_CTX_set_default_verify_paths
          SSL_CTX_set_num_tickets SSL_CTX_set_session_id_context SSL_CTX_use_cert_and_key SSL_CTX_ctrl
          SSL_ctrl SSL_new SSL_read_ex SSL_write_ex SSL_set_ex_data SSL_set_SSL_CTX SSL_set_session
          SSL_get0_peer_certificate SSL_get_current_cipher X509V3_EXT_conf_nid X509_NAME_add_entry_by_txt
          X509_STORE_add_cert X509_STORE_CTX_get0_cert X509_STORE_CTX_get0_chain
          X509_STORE_CTX_get0_untrusted X509_VERIFY_PARAM_set1_host X509_VERIFY_PARAM_set1_ip_asc
          X509_add_ext X509_check_private_key X509_get_X509_PUBKEY X509_get_ext_d2i X509_new
          X509_set_issuer_name X509_set_pubkey X509_set_version X509_sign X509_up_ref X509_verify_cert
          d2i_PKCS12_bio d2i_X509""",
    1: "SSL_CTX_set_alpn_protos",
    -1: """BIO_get_new_index SSL_do_handshake SSL_shutdown X509_NAME_print_ex i2a_ASN1_INTEGER i2d_X509
           i2d_X509_PUBKEY""",
}
NAMES = [(name, answer) for answer, names in FAILURES.items() for name in names.split()]
NAME_OF_FAULT = "WHARF_CALL_FAULT"
# Of one function, in one conversation.
COUNT_MAX = 500
# A connection that is lost each time would be several MiB.
GROWTH_MAX = 1 << 20

SOURCE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>
// Which function, and its how manieth call from now on.
struct fault { _Atomic long which, left; };
static struct fault *fault;
__attribute__((constructor)) static void start(void) {
    int file = open(getenv("%s"), O_RDWR);
    void *shared = mmap(NULL, sizeof *fault, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED) abort();
    close(file);
    fault = shared;
}
// The program's own calls: what OpenSSL calls within itself is its own affair.
static int is_own(void *caller) {
    Dl_info program, other;
    return dladdr((void *)getauxval(AT_ENTRY), &program) && dladdr(caller, &other)
        && program.dli_fbase == other.dli_fbase;
}
static int must_fail(long which, void *caller) {
    return fault && atomic_load(&fault->which) == which && atomic_load(&fault->left) > 0
        && is_own(caller) && atomic_fetch_sub(&fault->left, 1) == 1;
}
// What OpenSSL leaves behind when a call fails, without which others take it for a pause.
void ERR_new(void);
void ERR_set_error(int, int, const char *, ...);
static long failed(long answer) {
    ERR_new();
    ERR_set_error(20, 3, "failed by the test"); // ERR_LIB_SSL, a reason of its own
    return answer;
}
// Whatever a function takes is handed on; what it does not take is not looked at.
#define STAND_IN(number, name, answer)                                                           \\
    long name(long a, long b, long c, long d, long e, long f, long g, long h) {                  \\
        static long (*real)(long, long, long, long, long, long, long, long);                     \\
        if (must_fail(number, __builtin_return_address(0))) return failed(answer);               \\
        if (!real) real = dlsym(RTLD_NEXT, #name);                                               \\
        return real(a, b, c, d, e, f, g, h);                                                     \\
    }
""" % NAME_OF_FAULT


class Fault:
    """What fails next, shared with the program."""

    def __init__(self, folder):
        self.library, path = pathlib.Path(folder, "calls.so"), pathlib.Path(folder, "calls")
        source = SOURCE + "".join(
            f"STAND_IN({number}, {name}, {answer})\n" for number, (name, answer) in enumerate(NAMES, 1))
        compiler = shutil.which("clang") or shutil.which("cc") or "clang"
        subprocess.run([compiler, "-x", "c", "-", "-shared", "-fPIC", "-O1", "-o", self.library, "-ldl"],
                       input=source, text=True, check=True)
        path.write_bytes(bytes(16))
        self.file = open(path, "r+b")  # noqa: SIM115
        self.memory = mmap.mmap(self.file.fileno(), 16)
        self.environment = {NAME_OF_FAULT: str(path), "LD_PRELOAD": str(self.library)}
        self.prefix = ("env", *(f"{name}={value}" for name, value in self.environment.items()))

    def arm(self, which, count):
        self.memory[:] = struct.pack("qq", which, count)

    def left(self):
        return struct.unpack("qq", self.memory[:])[1]

    def play(self, title, use):
        """`use` is called while each call fails in turn; what it answers says whether it went well."""
        failures = harmless = functions = 0
        longest, slowest = 0, ""
        for which, (name, _) in enumerate(NAMES, 1):
            for number in range(1, COUNT_MAX):
                self.arm(which, number)
                started = time.monotonic()
                went_well = use(f"{name}, call {number}")
                took = time.monotonic() - started
                if took > longest:
                    longest, slowest = took, f"{name}, call {number}"
                has_struck = self.left() <= 0
                self.arm(0, 0)
                if not has_struck:
                    break
                failures += 1
                harmless += went_well
                functions += number == 1
        slow = f"; the longest took {longest:.1f} s: {slowest}" if longest > 2 else ""
        print(f"{title}: {failures} calls of {functions} functions failed, {harmless} without "
              f"consequence{slow}", flush=True)


def asking(server, root, identity, version, request):
    def use(what):
        try:
            went_well = ask(server.port, root, version, request, identity)
        except OSError:
            went_well = False
        if server.process.poll() is not None:
            harness.fail(f"the server died at {what}:\n{server.log()}")
        return went_well
    return use


def running(words, environment, until=None):
    """Runs a program, which may fail, but not by a signal; ends it when it has printed a text."""
    def use(what):
        child = subprocess.Popen(words, env=dict(os.environ, **environment), stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if until and until in child.stdout.readline():
            child.send_signal(signal.SIGTERM)
        _, errors = child.communicate(timeout=60)
        # Before it has begun to take signals, the one that ends it does so at once.
        is_ended = until and child.returncode == -signal.SIGTERM
        if not is_ended and (child.returncode < 0 or child.returncode > 5 or child.returncode and not errors):
            harness.fail(f"{words[1]} ended with {child.returncode} at {what}:\n{errors}")
        return child.returncode == 0
    return use


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=harness.CONFORMANCE_SERVER)
    parser.add_argument("--wharf", default=str(ROOT / ".build-release" / "release" / "wharf"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fault = Fault(folder)
        authority = Authority(folder)
        pem, visitor = authority.server("server", ["localhost"]), authority.client("visitor")
        authority.server("other", ["other.test"])
        p12 = authority.pkcs12("other", "secret")
        command = f"{options.server} --quiet --tls {pem},{p12} --client-ca {authority.root}"
        with harness.Server(command, prefix=fault.prefix) as server:
            uses = [(title, asking(server, authority.root, visitor, version, request))
                    for title, version, request in [
                        ("TLS 1.3", ssl.TLSVersion.TLSv1_3, message("POST /any", b"x" * 70_000)),
                        ("TLS 1.2", ssl.TLSVersion.TLSv1_2, message("POST /any", b"x" * 70_000)),
                        ("a reload", ssl.TLSVersion.TLSv1_3, message("POST /tls/reload"))]]
            for title, use in uses:
                if not use("the start"):
                    harness.fail(f"{title}: no answer before anything fails\n{server.log()}")
            for title, use in uses:
                fault.play(title, use)
            # What the first round has grown by is not lost: the second one does the same again.
            before = server.private_dirty()
            for title, use in uses:
                fault.play(f"{title}, once more", use)
            growth = server.private_dirty() - before
            lives = all(use("the end") for _, use in uses)
            print(f"the server {'serves on' if lives else 'is of no use'}, and grew by "
                  f"{growth / (1 << 20):.1f} MiB in the second round")
            file = pathlib.Path(folder, "sent")
            file.write_bytes(b"x" * 100_000)
            fault.play("wharf upload", running(
                [options.wharf, "upload", "--raw", "--cacert", str(authority.root),
                 f"https://localhost:{server.port}/any", str(file)], fault.environment))
        fault.play("wharf serve, while it starts", running(
            [options.wharf, "serve", "--port", "0", "--tls-self-signed", "--no-webdav",
             "--state", f"{folder}/state", folder], fault.environment, until="Serving"))
    sys.exit(0 if lives and growth < GROWTH_MAX else 1)


if __name__ == "__main__":
    main()
