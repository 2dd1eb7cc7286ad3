import Foundation
import Testing
import WharfHTTP

/// Requests collected from other projects' suites, as far as heads and chunks alone can judge them.
@Suite struct CorpusTests {
    struct Case: Decodable {
        let id: String
        let b64: String
        let expect: String

        var input: [UInt8] { Data(base64Encoded: b64).map { Array($0) } ?? [] }
    }

    static var folder: String {
        ProcessInfo.processInfo.environment["WHARF_DATA"] ?? "../shared"
    }

    static func cases(_ name: String) -> [Case]? {
        let path = "\(folder)/data/http/\(name).json"
        guard let data = FileManager.default.contents(atPath: path),
            let cases = try? JSONDecoder().decode([Case].self, from: data)
        else {
            print("skipped: no data (\(path))")
            return nil
        }
        return cases
    }

    enum Verdict: Equatable {
        case refused, waits, accepted(messages: Int)
    }

    /// What a server would make of the whole of an input.
    static func judge(_ input: [UInt8]) -> Verdict {
        var rest = input[...]
        var messages = 0
        while !rest.isEmpty {
            var parser = HTTPRequestParser()
            switch feed(&parser, rest) {
            case .refused: return .refused
            case .incomplete: return messages > 0 ? .accepted(messages: messages) : .waits
            case .complete(let head):
                if !head.request.method.isKnown { return .refused }
                // A server of ours answers CONNECT with 405 or 501 and closes.
                if head.target == .authority { return .refused }
                rest = rest.dropFirst(head.byteCount)
                switch head.framing {
                case .length(let count):
                    guard Int64(rest.count) >= count else { return .waits }
                    rest = rest.dropFirst(Int(count))
                case .chunked:
                    switch decodeChunks(Array(rest)) {
                    case .refused: return .refused
                    case .incomplete: return .waits
                    case .complete(let body): rest = rest.dropFirst(body.consumed)
                    }
                case .none, .untilClose: break
                }
                messages += 1
                // RFC 9112 §9.6: what follows a close is not read.
                if !head.isKeepAlive || head.hasUpgrade { rest = [] }
            }
        }
        return .accepted(messages: messages)
    }

    @Test func `our own wire corpus is judged as it says`() throws {
        guard let cases = Self.cases("own_wire") else { return }
        for one in cases {
            let verdict = Self.judge(one.input)
            switch one.expect {
            case "reject": #expect(verdict == .refused, "\(one.id)")
            case "accept":
                #expect(verdict != .refused && verdict != .waits, "\(one.id)")
            default: break
            }
        }
    }

    @Test func `prefixes of requests wait`() throws {
        guard let cases = Self.cases("own_prefixes") else { return }
        for one in cases {
            #expect(Self.judge(one.input) == .waits, "\(one.id)")
        }
    }

    @Test func `no smuggling gadget passes`() throws {
        guard let cases = Self.cases("smuggler") else { return }
        for one in cases {
            let verdict = Self.judge(one.input)
            if one.expect == "reject" {
                #expect(verdict == .refused, "\(one.id)")
            } else {
                #expect(verdict == .accepted(messages: 1) || verdict == .refused, "\(one.id)")
            }
        }
    }

    // An upgrade leaves what follows to another protocol, and a close leaves it unread; llhttp
    // calls both an error once more bytes come.
    private static let reviewed: Set<String> = [
        "llhttp/connection/No restart when keep-alive is off (1.0)",
        "llhttp/connection/Upgrade GET request", "llhttp/connection/Upgrade POST request",
    ]

    @Test func `what llhttp refuses is not accepted`() throws {
        guard let cases = Self.cases("llhttp") else { return }
        for one in cases where one.expect == "reject" && !Self.reviewed.contains(one.id) {
            let verdict = Self.judge(one.input)
            #expect(verdict == .refused || verdict == .waits, "\(one.id)")
        }
    }
}
