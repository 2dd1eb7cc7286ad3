#!/usr/bin/env python3
"""Libraries of Python work in a folder of a drive: `webdav_libraries.py http://127.0.0.1:8080/folder/`.

Each step throws what the library throws, or asserts.
"""

import io
import os
import sys
import tempfile
import urllib.parse


def webdavclient3(url, place):
    from webdav3.client import Client
    client = Client({"webdav_hostname": url, "disable_check": False})
    client.mkdir("one")
    client.upload_sync(remote_path="one/a", local_path=place)
    assert client.info("one/a")["size"] == "5" and client.check("one/a")
    client.copy("one/a", "one/b")
    client.move("one/b", "one/ä c")
    assert any(name.startswith("ä c") for name in client.list("one"))
    name = {"namespace": "urn:z", "name": "k"}
    client.set_property("one/a", dict(name, value="v"))
    assert client.get_property("one/a", name) == "v"
    with client.lock("one/a") as locked:
        locked.upload_sync(remote_path="one/a", local_path=place)
    assert int(client.free()) > 0
    client.download_sync(remote_path="one/ä c", local_path=place + ".back")
    with open(place + ".back") as file:
        assert file.read() == "hello"
    client.clean("one")
    assert not client.check("one")


def webdav4(url, _):
    from webdav4.client import Client, ResourceAlreadyExists
    client = Client(url)
    client.mkdir("two")
    client.upload_fileobj(io.BytesIO(b"x" * 100_000), "two/a b")
    assert [entry["name"] for entry in client.ls("two")] == ["two/a b"]
    assert client.etag("two/a b") and client.content_type("two/a b")
    assert client.modified("two/a b").year > 2000 and client.created("two/a b").year > 2000
    client.copy("two/a b", "two/c")
    client.move("two/c", "two/d")
    client.mkdir("two/s")
    client.move("two/s", "two/s2")
    with client.open("two/a b", "rb") as file:
        file.seek(10)
        assert file.read(5) == b"xxxxx"
    try:
        client.mkdir("two")
        raise AssertionError("made twice")
    except ResourceAlreadyExists:
        pass
    client.remove("two")
    assert not client.exists("two")


def easywebdav(url, place):
    import easywebdav
    import easywebdav.client
    # It was written for Python 2.
    easywebdav.basestring = str
    easywebdav.client.basestring = (str, bytes)
    parts = urllib.parse.urlparse(url)
    client = easywebdav.connect(parts.hostname, port=parts.port, path=parts.path.strip("/"))
    client.mkdir("three")
    client.upload(place, "three/a")
    assert len(client.ls("three")) == 2
    client.delete("three/a")
    client.rmdir("three")


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "file")
        with open(place, "w") as file:
            file.write("hello")
        for work in (webdavclient3, webdav4, easywebdav):
            work(sys.argv[1].rstrip("/"), place)


if __name__ == "__main__":
    main()
