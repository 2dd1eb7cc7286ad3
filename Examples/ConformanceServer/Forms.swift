import Foundation
import Wharf

/// A field of a form, as it is told.
private struct FieldSummary: Encodable {
    let name: String
    /// Absent for a text.
    let filename: String?
    let size: Int64
    /// Of the content, in hexadecimal; absent if it was not asked for.
    let sha256: String?
}

/// Adds `/form`, which tells what is in a form (with `?digest=none` without digests), and with a
/// folder `/save/NAME`, which stores a body there, or the first file of a form.
func addForms(to router: Router, root: String?) {
    router.post("/form", bodyMax: .max) { request in
        let form = try await request.form()
        var summaries: [FieldSummary] = []
        for part in form.parts {
            let digest = request.query == "digest=none" ? nil : hexadecimal(try await part.sha256())
            summaries.append(
                FieldSummary(
                    name: part.name, filename: part.file?.fileName, size: part.byteCount,
                    sha256: digest))
        }
        return .bytes(Array(try JSONEncoder().encode(summaries)), contentType: "application/json")
    }
    guard let root else { return }
    router.on(.put, "/save/{name}", bodyMax: .max) { try await save($0, into: root) }
    router.post("/save/{name}", bodyMax: .max) { try await save($0, into: root) }
    // The same part by part, without a form in between.
    router.post("/save-parts/{name}", bodyMax: .max) { request in
        var names: [String] = []
        for try await part in try request.multipartParts() where part.head.fileName != nil {
            let name = try request.parameters.require("name")
            names += [try await part.save(into: root, named: name, ifTaken: .replace).name]
        }
        return .text(names.joined(separator: "\n") + "\n", status: .created)
    }
}

@Sendable private func save(_ request: Request, into root: String) async throws -> Response {
    let name = try request.parameters.require("name")
    var saved: SavedFile?
    if request.fields[.contentType]?.lowercased().hasPrefix("multipart/form-data") == true {
        var limits = Form.Limits()
        limits.folder = root
        let file = try await request.form(limits: limits).files.first
        saved = try await file?.move(into: root, named: name, ifTaken: .replace)
    } else {
        saved = try await request.body.save(into: root, named: name, ifTaken: .replace)
    }
    guard let saved else { throw HTTPError(.badRequest, reason: "no file in the form") }
    return .text("\(saved.name) \(saved.byteCount)\n", status: saved.isReplacing ? .ok : .created)
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()
}
