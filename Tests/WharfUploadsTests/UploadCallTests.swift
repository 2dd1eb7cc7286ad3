import Testing
import WharfHTTP
import WharfServer
@testable import WharfUploads

/// What one URL is asked for by five protocols.
@Suite struct `a request's meaning for uploads` {
    private static let tus = ("Tus-Resumable", "1.0.0")
    private static let tusType = ("Content-Type", "application/offset+octet-stream")
    private static let partial = ("Content-Type", "application/partial-upload")
    private static let whole = ("Upload-Complete", "?1")
    private static let part = ("Upload-Complete", "?0")

    private static func number(_ number: Int) -> (String, String) {
        ("Upload-Draft-Interop-Version", "\(number)")
    }

    typealias Row = (
        method: HTTPRequest.Method, place: UploadCall.Place, fields: [(String, String)],
        meaning: String
    )

    static let rows: [Row] = [
        // What has nothing to do with uploads is for the handler behind.
        (.get, .elsewhere, [], "other"), (.put, .elsewhere, [], "other"),
        (.post, .elsewhere, [], "other"), (.delete, .elsewhere, [], "other"),
        (.patch, .elsewhere, [("Content-Type", "application/x-sabredav-partialupdate")], "other"),
        (.patch, .elsewhere, [partial, whole], "other"),
        (.patch, .elsewhere, [tusType, tus], "other"),
        (.get, .elsewhere, [whole], "other"), (.propfind, .elsewhere, [], "other"),
        (.options, .elsewhere, [], "options"), (.options, .collection, [], "options"),
        (.options, .upload, [], "options"), (.options, .elsewhere, [tus], "options"),
        // tus
        (.post, .elsewhere, [tus], "tus create"), (.post, .collection, [tus], "tus create"),
        (.post, .elsewhere, [tus, whole], "tus create"),
        (.post, .elsewhere, [("Tus-Resumable", "0.2.2")], "412"),
        (.head, .upload, [tus], "tus head"), (.delete, .upload, [tus], "tus terminate"),
        (.patch, .upload, [tus, tusType], "tus append"), (.patch, .upload, [tusType], "412"),
        (.patch, .upload, [tus, ("Content-Type", "text/plain")], "415"),
        (.patch, .upload, [tus], "415"), (.head, .upload, [("Tus-Resumable", "2")], "412"),
        (.post, .upload, [tus, tusType, ("X-HTTP-Method-Override", "PATCH")], "tus append"),
        (.post, .upload, [tus, ("X-HTTP-Method-Override", "DELETE")], "tus terminate"),
        (.post, .upload, [("X-HTTP-Method-Override", "DELETE")], "405"),
        (.head, .upload, [tus, ("X-HTTP-Method-Override", "DELETE")], "tus head"),
        (.post, .upload, [tus], "405"),
        // The IETF's, of all dialects
        (.put, .elsewhere, [whole], "create whole"), (.post, .elsewhere, [part], "create part"),
        (.put, .elsewhere, [whole, number(8)], "8 create whole"),
        (.put, .elsewhere, [part, number(4)], "4 create part"),
        (.put, .elsewhere, [("Upload-Incomplete", "?1"), number(3)], "3 create part"),
        (.put, .elsewhere, [("Upload-Incomplete", "?0"), number(3)], "3 create whole"),
        (.put, .elsewhere, [whole, number(9)], "unknown create whole"),
        (.put, .elsewhere, [("Upload-Complete", "yes")], "400"),
        (.put, .elsewhere, [("Upload-Complete", "1")], "400"),
        (.head, .upload, [], "head"), (.get, .upload, [number(5)], "5 head"),
        (.delete, .upload, [], "cancel"), (.delete, .upload, [number(7)], "7 cancel"),
        (.patch, .upload, [partial, part], "append part"),
        (.patch, .upload, [partial, whole, number(6)], "6 append whole"),
        (.patch, .upload, [whole, number(6)], "415"), (.patch, .upload, [whole], "415"),
        (.patch, .upload, [whole, number(5)], "5 append whole"),
        (.patch, .upload, [("Upload-Incomplete", "?1"), number(3)], "3 append part"),
        (.patch, .upload, [partial], "400"),
        (.put, .upload, [whole], "405"), (.propfind, .upload, [], "405"),
        (.get, .collection, [], "404"), (.put, .collection, [whole], "404"),
        (.post, .collection, [], "404"), (.propfind, .collection, [], "404"),
    ]

    @Test(arguments: rows.indices) func `is told by a table`(index: Int) throws {
        let row = Self.rows[index]
        var fields = HTTPFields()
        for (name, value) in row.fields { fields[try #require(HTTPField.Name(name))] = value }
        #expect(Self.text(UploadCall(row.method, fields, at: row.place)) == row.meaning)
    }

    private static func text(_ call: UploadCall) -> String {
        switch call {
        case .other: "other"
        case .options: "options"
        case .tus(let call): "tus \(call)"
        case .refused(let error): "\(error.status.code)"
        case .resumable(let call, let dialect):
            (dialect.isUnknown ? "unknown " : dialect.number.map { "\($0) " } ?? "") + text(call)
        }
    }

    private static func text(_ call: UploadCall.Resumable) -> String {
        switch call {
        case .create(let isComplete): "create " + (isComplete ? "whole" : "part")
        case .append(let isComplete): "append " + (isComplete ? "whole" : "part")
        case .head: "head"
        case .cancel: "cancel"
        }
    }
}
