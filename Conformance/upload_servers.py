"""Servers of others that take uploads: `upload_servers.py NAME PORT DIR`.

flask and aiohttp take the file of a form's field `uploadFile`; tuspyserver and aiohttp-tus speak
tus at /files/."""

import os
import pathlib
import sys

name, port, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
host = "127.0.0.1"


def flask():
    import flask

    app = flask.Flask(__name__)

    @app.post("/upload")
    def upload():
        file = flask.request.files["uploadFile"]
        file.save(folder / os.path.basename(file.filename))
        return "upload file"

    app.run(host, port, threaded=True)


def aiohttp():
    from aiohttp import web

    async def upload(request):
        part = await (await request.multipart()).next()
        assert part.name == "uploadFile"
        with open(folder / os.path.basename(part.filename), "wb") as file:
            while data := await part.read_chunk(1 << 18):
                file.write(data)
        return web.Response(text="ok")

    app = web.Application(client_max_size=1 << 40)
    app.router.add_post("/upload", upload)
    web.run_app(app, host=host, port=port, print=None)


def tuspyserver():
    import fastapi
    import uvicorn
    from tuspyserver import create_tus_router

    app = fastapi.FastAPI()
    app.include_router(create_tus_router(prefix="files", files_dir=str(folder)))
    uvicorn.run(app, host=host, port=port, log_level="warning")


def aiohttp_tus():
    from aiohttp import web
    from aiohttp_tus import setup_tus

    app = setup_tus(web.Application(client_max_size=1 << 40), upload_path=folder, upload_url="/files")
    web.run_app(app, host=host, port=port, print=None)


{"flask": flask, "aiohttp": aiohttp, "tuspyserver": tuspyserver,
 "aiohttp-tus": aiohttp_tus}[name]()
