import WharfHTTP
import WharfNet
import WharfServer

extension PageSite {
    /// Answers with a zip archive of a folder, or of what is named in it.
    ///
    ///     GET  /.wharf/zip?path=/photos/
    ///     GET  /.wharf/zip?path=/photos/&name=a.jpg&name=b%20c
    ///     POST /.wharf/zip                the same as a form, for more names than a URL holds
    ///
    /// `path` is percent-encoded, and so is each `name`, within the form's own encoding. The archive
    /// is made while it is sent. Throws 404 if there is no such folder.
    func archive(_ request: Request) async throws -> Response {
        let form: URLEncodedForm
        if request.method == .post {
            let bytes = try await request.body.collect(upTo: Self.namesByteCountMax)
            form = try Self.fields(bytes)
        } else {
            form = try Self.fields(Array((request.query ?? "").utf8))
        }
        let folder = try PagePath(encoded: form["path"] ?? "/")
        let names = try form[values: "name"].map { try PagePath(encoded: "/" + $0) }
        guard names.allSatisfy({ $0.names.count == 1 }) else {
            throw HTTPError(.badRequest, reason: "a name that is a path")
        }
        let paths = names.isEmpty ? [folder] : names.map { folder.appending($0.names[0]) }
        guard !paths.contains(where: { files.hides($0.bytes) }) else { throw HTTPError(.notFound) }
        let root = files.folder
        do {
            let opened = try await request.offload {
                try root.open(folder.bytes, cachedOnly: false).get()
            }
            guard opened.status.kind == .folder else { throw HTTPError(.notFound) }
        } catch let error as Errno {
            throw HTTPError(opening: error)
        }
        let single = names.count == 1 ? names[0].name : folder.name
        let name = single.map { String(decoding: $0, as: UTF8.self) } ?? files.rootTitle
        return stream(paths, request).asAttachment(named: name + ".zip")
    }

    private static let namesByteCountMax = 4 << 20

    private static func fields(_ bytes: [UInt8]) throws -> URLEncodedForm {
        guard let form = URLEncodedForm(parsing: bytes, fieldCountMax: 100_000) else {
            throw HTTPError(.contentTooLarge, reason: "too many names")
        }
        return form
    }

    private func stream(_ paths: [PagePath], _ request: Request) -> Response {
        let share = share
        let rules = ArchiveEntries.Rules(showsHidden: files.showsHidden) { share.admitsFile($0) }
        let source = ArchiveSource(
            paths, in: files.folder, rules, asks: share.delegate != nil)
        var response = Response.stream(contentType: "application/zip") { writer in
            while true {
                switch try await request.offload({ try source.next() }) {
                case .bytes(let bytes): try await writer.write(bytes)
                case .file(let path):
                    let isAdmitted = try await Self.admits(path, share, request)
                    try source.settle(isAdmitted)
                case .end: return
                }
            }
        }
        response.fields[.cacheControl] = "no-store"
        response.fields[.xContentTypeOptions] = "nosniff"
        return response.compressed(false)
    }

    /// Asks the delegate for one file, which is left out if it refuses.
    private static func admits(
        _ path: [UInt8], _ share: Share, _ request: Request
    ) async throws -> Bool {
        let name = String(decoding: path, as: UTF8.self)
        do {
            try await share.ask(request) { try await $0.shouldDownload(name, for: request) }
        } catch is HTTPError {
            return false
        }
        share.tellWhenSent(request) { await $0.didDownload(name, for: request) }
        return true
    }
}
