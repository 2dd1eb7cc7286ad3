"""Logs in with Python's HTTP libraries: `login_clients.py PORT`; prints [[case, passed], ...].

A library that is not installed is one case whose outcome is null.
"""

import asyncio
import json
import sys
import time

SHORT_LIFETIME = 0.4  # seconds; that of /login/digest-short is less


def requests_cases(url):
    import requests
    from requests.auth import HTTPBasicAuth, HTTPDigestAuth

    logins = {"basic": HTTPBasicAuth, "digest": HTTPDigestAuth, "digest-md5": HTTPDigestAuth}
    for path, login in logins.items():
        with requests.Session() as session:
            session.auth = login("u", "p")
            get = session.get(url + path)
            yield f"{path}: GET", get.text == "GET by u, 0 bytes\n"
            post = session.post(url + path, data=b"x" * 5000)
            yield f"{path}: POST", post.text == "POST by u, 5000 bytes\n"
            yield f"{path}: HEAD", session.head(url + path).status_code == 200
            yield f"{path}: with a query", session.get(url + path + "?a=b%20c").status_code == 200
            session.auth = login("u", "x")
            yield f"{path}: wrong password", session.get(url + path).status_code == 401
    with requests.Session() as session:
        session.auth = HTTPDigestAuth("u", "p")
        yield "digest-short: GET", session.get(url + "digest-short").status_code == 200
        time.sleep(SHORT_LIFETIME)
        late = session.get(url + "digest-short")
        yield "digest-short: stale", (late.status_code, len(late.history)) == (200, 1)


def httpx_cases(url):
    import httpx

    logins = {
        "basic": httpx.BasicAuth, "digest": httpx.DigestAuth, "digest-md5": httpx.DigestAuth,
        "both": httpx.DigestAuth,
    }
    for path, login in logins.items():
        with httpx.Client(auth=login("u", "p")) as client:
            get = client.get(url + path)
            yield f"{path}: GET", get.text == "GET by u, 0 bytes\n"
            post = client.post(url + path, content=b"x" * 5000)
            yield f"{path}: POST", post.text == "POST by u, 5000 bytes\n"
            yield f"{path}: HEAD", client.head(url + path).status_code == 200
            yield f"{path}: with a query", client.get(url + path + "?a=b%20c").status_code == 200
            wrong = client.get(url + path, auth=login("u", "x"))
            yield f"{path}: wrong password", wrong.status_code == 401
    with httpx.Client(auth=httpx.DigestAuth("u", "p")) as client:
        yield "digest-short: GET", client.get(url + "digest-short").status_code == 200
        time.sleep(SHORT_LIFETIME)
        yield "digest-short: stale", client.get(url + "digest-short").status_code == 200


async def aiohttp_answers(url):
    import aiohttp

    cases = []

    async def ask(client, method, path, **arguments):
        async with client.request(method, url + path, **arguments) as response:
            return response.status, await response.text()

    def session(scheme, password):
        if scheme == "basic":
            return aiohttp.ClientSession(auth=aiohttp.BasicAuth("u", password))
        return aiohttp.ClientSession(middlewares=(aiohttp.DigestAuthMiddleware("u", password),))

    for path in ("basic", "digest", "digest-md5", "both"):
        scheme = "basic" if path == "basic" else "digest"
        async with session(scheme, "p") as client:
            get = await ask(client, "GET", path)
            cases.append((f"{path}: GET", get == (200, "GET by u, 0 bytes\n")))
            post = await ask(client, "POST", path, data=b"x" * 5000)
            cases.append((f"{path}: POST", post == (200, "POST by u, 5000 bytes\n")))
            head = await ask(client, "HEAD", path)
            cases.append((f"{path}: HEAD", head[0] == 200))
        async with session(scheme, "x") as client:
            wrong = await ask(client, "GET", path)
            cases.append((f"{path}: wrong password", wrong[0] == 401))
    async with session("digest", "p") as client:
        first = await ask(client, "GET", "digest-short")
        await asyncio.sleep(SHORT_LIFETIME)
        late = await ask(client, "GET", "digest-short")
        cases.append(("digest-short: stale", (first[0], late[0]) == (200, 200)))
    return cases


def aiohttp_cases(url):
    return asyncio.run(aiohttp_answers(url))


def main():
    url = f"http://127.0.0.1:{sys.argv[1]}/login/"
    outcomes = []
    libraries = {"requests": requests_cases, "httpx": httpx_cases, "aiohttp": aiohttp_cases}
    for name, cases in libraries.items():
        try:
            outcomes += [(f"{name} {case}", passed) for case, passed in cases(url)]
        except ImportError as error:
            outcomes.append((f"{name}: {error}", None))
    print(json.dumps(outcomes))


if __name__ == "__main__":
    main()
