import Testing
@testable import WharfHTTP

@Suite struct `An event of a stream` {
    private func text(_ event: ServerSentEvent) -> String {
        var bytes: [UInt8] = []
        event.append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            ("a", nil, nil, nil, "data: a\n\n"), ("", nil, nil, nil, "data:\n\n"),
            (" a ", nil, nil, nil, "data:  a \n\n"), (nil, nil, "7", nil, "id: 7\n\n"),
            (
                "ä:b", "tick", "x y", .milliseconds(1500),
                "event: tick\nid: x y\nretry: 1500\ndata: ä:b\n\n"
            ),
            ("a", "", "", .seconds(-1), "event:\nid:\nretry: 0\ndata: a\n\n"),
            (nil, nil, nil, .seconds(Int64.max), "retry: 9223372036854775807\n\n"),
            ("a\nb", nil, nil, nil, "data: a\ndata: b\n\n"),
            ("a\r\nb\rc", nil, nil, nil, "data: a\ndata: b\ndata: c\n\n"),
            ("\n", nil, nil, nil, "data:\ndata:\n\n"), ("a\r", nil, nil, nil, "data: a\ndata:\n\n"),
            ("\n\nid: 9", nil, nil, nil, "data:\ndata:\ndata: id: 9\n\n"),
        ] as [(String?, String?, String?, Duration?, String)])
    func `is written line by line`(
        _ data: String?, _ event: String?, _ id: String?, _ retry: Duration?, _ wanted: String
    ) throws {
        #expect(text(try ServerSentEvent(data, event: event, id: id, retry: retry)) == wanted)
    }

    @Test(arguments: ["\n", "a\rb", "a\r\n", "\0", "a\nevent: b"])
    func `has no line ends in its type and its ID`(_ text: String) {
        #expect(throws: ServerSentEventError(field: "event")) {
            try ServerSentEvent("a", event: text)
        }
        #expect(throws: ServerSentEventError(field: "id")) { try ServerSentEvent("a", id: text) }
    }

    @Test(arguments: [("", ":\n\n"), ("a", ": a\n\n"), ("a\ndata: b", ": a\n: data: b\n\n")])
    func `may be a comment`(_ text: String, _ wanted: String) {
        var bytes: [UInt8] = []
        ServerSentEvent.appendComment(text, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == wanted)
    }
}
