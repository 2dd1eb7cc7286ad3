#!/usr/bin/env python3
"""testssl.sh and sslyze against the conformance server: nothing may be vulnerable, or not ok."""

import json
import re
import shutil
import subprocess
import sys
import tempfile

from report import ROOT
from tls_certificates import Authority

sys.path.insert(0, str(ROOT / "Benchmarks"))
import harness  # noqa: E402

# What a scanner may find fault with, and why it is so.
REVIEWED = []


def testssl(port, root):
    """The lines that find fault."""
    run = subprocess.run(
        [shutil.which("testssl") or "testssl.sh", "--quiet", "--color", "0", "--warnings", "off",
         "--add-ca", str(root), "-p", "-s", "-P", "-f", "-U", "--ip", "one",
         f"localhost:{port}"],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
    print(run.stdout)
    if "TLS 1.3" not in run.stdout or "CCS" not in run.stdout:
        return ["testssl has not run to its end"]
    bad = [line.strip() for line in run.stdout.splitlines()
           if re.search(r"(?<!not )\bVULNERABLE|NOT ok|potentially", line)]
    return [line for line in bad if not any(known in line for known in REVIEWED)]


def sslyze(port, root, folder):
    """What is wrong in its results."""
    file = f"{folder}/sslyze.json"
    run = subprocess.run(
        [ROOT / ".build-clients/bin/sslyze", "--certinfo", f"--certinfo_ca_file={root}", "--tlsv1",
         "--tlsv1_1", "--tlsv1_2", "--tlsv1_3", "--reneg", "--heartbleed", "--openssl_ccs",
         "--compression", "--fallback", "--early_data", "--resum", f"--json_out={file}",
         f"localhost:{port}"], capture_output=True, text=True, timeout=600)
    print(run.stdout[-6000:], run.stderr[-2000:])
    with open(file) as text:
        result = json.load(text)["server_scan_results"][0]["scan_result"]
    found = {name: part["result"] for name, part in result.items() if part and part.get("result")}
    faults = []

    def expect(what, is_so):
        if not is_so:
            faults.append(f"sslyze: {what}")

    for version in ("tls_1_0", "tls_1_1"):
        suites = found[f"{version}_cipher_suites"]["accepted_cipher_suites"]
        expect(f"{version} is spoken", not suites)
    for version in ("tls_1_2", "tls_1_3"):
        suites = [one["cipher_suite"]["name"] for one in
                  found[f"{version}_cipher_suites"]["accepted_cipher_suites"]]
        expect(f"{version} is not spoken", suites)
        expect(f"{version} without AEAD: {suites}",
               all("GCM" in name or "POLY1305" in name for name in suites))
    expect("Heartbleed", not found["heartbleed"]["is_vulnerable_to_heartbleed"])
    expect("CCS injection", not found["openssl_ccs_injection"]["is_vulnerable_to_ccs_injection"])
    expect("compression", not found["tls_compression"]["supports_compression"])
    expect("no fallback SCSV", found["tls_fallback_scsv"]["supports_fallback_scsv"])
    expect("early data", not found["tls_1_3_early_data"]["supports_early_data"])
    expect("renegotiation", found["session_renegotiation"]["supports_secure_renegotiation"]
           and not found["session_renegotiation"]["is_vulnerable_to_client_renegotiation_dos"])
    for deployment in found["certificate_info"]["certificate_deployments"]:
        trusted = [one["was_validation_successful"]
                   for one in deployment["path_validation_results"]]
        expect("the certificate is not trusted", any(trusted))
    return faults


def main():
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(folder)
        pem = authority.server("server", ["localhost", "127.0.0.1"])
        with harness.Server(harness.CONFORMANCE_SERVER + f" --quiet --tls {pem}") as server:
            faults = testssl(server.port, authority.root)
            faults += sslyze(server.port, authority.root, folder)
    print("\n".join(faults) or "nothing VULNERABLE, nothing NOT ok")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
