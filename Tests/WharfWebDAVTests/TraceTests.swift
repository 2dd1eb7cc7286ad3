import Foundation
import TestSupport
import Testing

@testable import WharfWebDAV

/// What clients were seen to send to another server, sent again: the statuses are the same.
///
/// The traces have no bodies of answers, and of uploads only how long they were; tokens and ETags are
/// those that are given now.
@Suite(.timeLimit(.minutes(2))) struct `Traces of clients` {
    private static let list = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Conformance/replay-differences.txt")

    private static func expectedDifferences(_ client: String) throws -> [String] {
        try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("trace-\(client) ") }
            .map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
    }

    @Test(arguments: [
        ("cadaver", 35), ("davfs", 38), ("davix", 6), ("gio", 44), ("py", 55), ("rclone", 118),
    ])
    func `are answered as they were`(client: String, count: Int) async throws {
        guard let bytes = RecordedSuite.trace(client) else { return }
        let requests = TracedRequest.read(bytes)
        #expect(requests.count == count)
        var found: [String] = []
        try await Drive.with { drive in
            var tokens: [Substring: String] = [:]
            var lastToken = ""
            var tags: [String: String] = [:]
            for (number, request) in requests.enumerated() {
                var fields = request.fields
                for name in ["If", "Lock-Token"] {
                    guard let value = fields[name], let old = value.token else { continue }
                    let token = tokens[old] ?? lastToken
                    tokens[old] = token
                    fields[name] = value.replacing(old, with: token)
                }
                if fields["If-Match"] != nil { fields["If-Match"] = tags[request.target] }
                fields["Host"] = "127.0.0.1:9100"
                let answer = try await drive.ask(
                    request.method, request.target, fields, body: request.knownBody)
                if let token = answer.fields["lock-token"] {
                    lastToken = String(token.dropFirst().dropLast())
                }
                tags[request.target] = answer.fields["etag"] ?? tags[request.target]
                guard request.status != 0, answer.status != request.status else { continue }
                found.append(
                    "trace-\(client) \(number + 1) \(request.method) \(answer.status)")
            }
        }
        #expect(found == (try Self.expectedDifferences(client)))
    }
}

/// A request of a trace, and the status that it had.
private struct TracedRequest {
    var method = ""
    var target = ""
    var fields: [String: String] = [:]
    var body = ""
    var status = 0

    /// Reads a trace: a request line, fields, the body or its length, `----`, and status lines.
    static func read(_ bytes: [UInt8]) -> [TracedRequest] {
        var requests: [TracedRequest] = []
        var isHead = false
        var isBody = false
        for line in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n") {
            let words = line.split(separator: " ")
            if !isBody, words.count == 3, words[2].hasPrefix("HTTP/1."), words[0] != "=>" {
                requests.append(
                    TracedRequest(method: String(words[0]), target: String(words[1])))
                (isHead, isBody) = (true, false)
            } else if requests.isEmpty {
                continue
            } else if line == "----" {
                (isHead, isBody) = (false, false)
            } else if line.hasPrefix("    => ") {
                requests[requests.count - 1].status = words.count > 2 ? Int(words[2]) ?? 0 : 0
            } else if isHead, let colon = line.firstIndex(of: ":"), isFieldName(line[..<colon]) {
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                requests[requests.count - 1].take(String(line[..<colon]), value)
            } else if isHead || isBody {
                (isHead, isBody) = (false, true)
                requests[requests.count - 1].addToBody(line)
            }
        }
        return requests
    }

    private mutating func take(_ name: String, _ value: String) {
        switch name.lowercased() {
        case "content-length": body = String(repeating: "x", count: Int(value) ?? 0)
        case "connection", "expect", "host", "keep-alive", "te", "transfer-encoding": break
        // Of a body that isn't known.
        case "oc-checksum": break
        default: fields[name] = value
        }
    }

    private static func isFieldName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 == 0x2D }
    }

    /// The body; of XML that came too late for the trace what is usual.
    var knownBody: String {
        guard !body.isEmpty, body.allSatisfy({ $0 == "x" }), method != "PUT" else { return body }
        switch method {
        case "LOCK": return lockInfo()
        case "PROPPATCH":
            return "<propertyupdate xmlns='DAV:'><set><prop><x xmlns='urn:x'>1</x></prop></set>"
                + "</propertyupdate>"
        default: return ""
        }
    }

    private mutating func addToBody(_ line: String) {
        // What was uploaded is told by its length alone.
        if line.hasSuffix("body bytes in first read]") { return }
        if body.allSatisfy({ $0 == "x" }) { body = "" }
        body += (body.isEmpty ? "" : "\n") + line
    }
}

extension String {
    /// The token in a field.
    fileprivate var token: Substring? {
        guard let start = firstRange(of: "opaquelocktoken:") else { return nil }
        return self[start.lowerBound...].prefix { $0 != ">" }
    }
}
