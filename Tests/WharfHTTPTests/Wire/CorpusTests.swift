import Testing
import WharfHTTP

/// Requests collected from other projects' suites, as far as heads and bodies alone can judge them.
@Suite struct CorpusTests {
    enum Verdict: Equatable {
        case refused, waits, accepted(messages: Int)
    }

    /// What a server would make of the whole of an input.
    static func judge(_ input: [UInt8]) -> Verdict {
        let transcript = Transcript(of: input)
        // A server of ours answers CONNECT and methods that it doesn't know with an error.
        let isRefusal = transcript.messages.contains {
            !$0.head.request.method.isKnown || $0.head.target == .authority
        }
        if isRefusal { return .refused }
        switch transcript.end {
        case .refused: return .refused
        case .waits where transcript.messages.isEmpty: return .waits
        case .waits, .isBetweenMessages, .stops:
            return .accepted(messages: transcript.messages.count)
        }
    }

    @Test func `our own wire corpus is judged as it says`() throws {
        guard let cases = CorpusCase.all(of: "own_wire") else { return }
        for one in cases {
            let verdict = Self.judge(one.input)
            switch one.expectation {
            case "reject": #expect(verdict == .refused, "\(one.id)")
            case "accept":
                #expect(verdict != .refused && verdict != .waits, "\(one.id)")
            default: break
            }
        }
    }

    @Test func `prefixes of requests wait`() throws {
        guard let cases = CorpusCase.all(of: "own_prefixes") else { return }
        for one in cases {
            #expect(Self.judge(one.input) == .waits, "\(one.id)")
        }
    }

    @Test func `no smuggling gadget passes`() throws {
        guard let cases = CorpusCase.all(of: "smuggler") else { return }
        for one in cases {
            let verdict = Self.judge(one.input)
            if one.expectation == "reject" {
                #expect(verdict == .refused, "\(one.id)")
            } else {
                #expect(verdict == .accepted(messages: 1), "\(one.id)")
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
        guard let cases = CorpusCase.all(of: "llhttp") else { return }
        for one in cases where one.expectation == "reject" {
            let verdict = Self.judge(one.input)
            let isAccepted = verdict != .refused && verdict != .waits
            #expect(isAccepted == Self.reviewed.contains(one.id), "\(one.id)")
        }
    }
}
