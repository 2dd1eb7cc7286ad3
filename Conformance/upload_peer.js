// A body that is put, as node's standard library takes it: `upload_peer.js PORT DIR`.
const fs = require("fs");
const http = require("http");
const path = require("path");

http.createServer((request, response) => {
  const name = decodeURIComponent(path.posix.basename(request.url));
  const file = fs.createWriteStream(path.join(process.argv[3], name));
  request.pipe(file);
  request.on("aborted", () => file.destroy());
  file.on("finish", () => {
    response.statusCode = 201;
    response.end("ok");
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
