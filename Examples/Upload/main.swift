// A page that takes files into a folder: `Upload [PORT] [FOLDER]`.
import Wharf

let page = """
    <!doctype html>
    <title>Drop box</title>
    <h1>Drop box</h1>
    <form method="post" enctype="multipart/form-data">
    <input type="file" name="files" multiple required> <button>Send</button>
    </form>
    <p><a href="/files/">What is there</a>
    """

let arguments = CommandLine.arguments.dropFirst()
let folder = arguments.dropFirst().first ?? "."

let router = Router()
router.get("/") { _ in .html(page) }
router.post("/", bodyMax: 4 << 30) { request in
    // Files lie in the folder from the start, out of sight until they are whole and have names.
    var limits = Form.Limits()
    limits.folder = folder
    let files = try await request.form(limits: limits).files
    guard !files.isEmpty else { throw HTTPError(.badRequest, reason: "no file was chosen") }
    for file in files { try await file.move(into: folder) }
    return .redirect(to: "/files/")
}
router.mount("/files", try DirectoryHandler(folder: folder))

let port = arguments.first.flatMap { UInt16($0) } ?? 8080
let server = try HTTPServer(.init(port: port), router: router)
print("Serving at http://\(server.addresses[0])/")
try server.runUntilTerminated()
