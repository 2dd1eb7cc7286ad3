// Sends files and tells how far it is: `SendFile URL FILE...`.
import Foundation
import Wharf
import WharfHTTPClient
import WharfUploadClient

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count > 1 else {
    print("usage: SendFile URL FILE...")
    exit(2)
}

do {
    let client = try HTTPClient()
    let uploads = UploadClient(client)
    // What goes on after a failure if the server can do that, and else a form as browsers send it.
    for file in arguments.dropFirst() {
        let upload = Upload(try HTTPURL(arguments[0]), files: [UploadFile(file)])
        let result = try await uploads.send(upload) { progress in
            print("\(Int(progress.fraction * 100)) %")
        }
        print("\(file): \(result.status.code)")
    }
} catch let error as UploadError {
    // A refusal comes with the server's answer.
    print("\(error): \(error.answer?.text ?? "")")
    exit(1)
}
