// A folder that takes uploads which go on later: `Resumable [PORT [FOLDER [STATE]]]`.
import Wharf
import WharfUploads

let arguments = CommandLine.arguments.dropFirst().map(\.self)
let folder = arguments.count > 1 ? arguments[1] : "."

/// Says what has come.
struct Announcing: ShareDelegate {
    func didUpload(_ upload: ShareUpload, for request: Request) async {
        print("\(upload.path): \(upload.byteCount) bytes")
    }
}

var sharing = Share.Options()
sharing.uploadMax = 10 << 30
let share = try Share(
    folder: folder, isWritable: true, delegate: Announcing(), options: sharing)

var options = ResumableUploads.Options()
options.stateFolder = arguments.count > 2 ? arguments[2] : nil
options.lifetime = .seconds(3 * 24 * 3600)

let router = Router()
router.mount(
    "/", try ResumableUploads(share, before: DirectoryHandler(share), options: options))

let port = arguments.first.flatMap { UInt16($0) } ?? 8080
let server = try HTTPServer(.init(port: port), router: router)
print("Serving at http://\(server.addresses[0])/")
try server.runUntilTerminated()
