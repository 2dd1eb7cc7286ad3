import Testing
import WharfHTTP

@Suite struct `A place in a trace` {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "b7ad6b7169203331"

    @Test(arguments: [
        ("00-\(trace)-\(parent)-01", true), ("00-\(trace)-\(parent)-00", false),
        ("cc-\(trace)-\(parent)-03-more", true), ("01-\(trace)-\(parent)-fe", false),
    ])
    func `is read`(_ value: String, _ isSampled: Bool) throws {
        let context = try #require(TraceContext(value))
        #expect(context.traceID == Self.trace && context.parentID == Self.parent)
        #expect(context.isSampled == isSampled)
        #expect(TraceContext(context.description) == context)
        #expect(context.description.hasPrefix("00-"))
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(parent)", "00-\(trace)-\(parent)-0", "00-\(trace)-\(parent)-01-",
        "00-\(trace)-\(parent)-01-more", "ff-\(trace)-\(parent)-01", "cc-\(trace)-\(parent)-01.x",
        "00-\(trace.uppercased())-\(parent)-01", "00_\(trace)_\(parent)_01",
        "00-\(String(repeating: "0", count: 32))-\(parent)-01", "0-0\(trace)-\(parent)-01",
        "00-\(trace)-\(String(repeating: "0", count: 16))-01", " 00-\(trace)-\(parent)-01",
        "00-\(trace)-\(parent)-0g", "0g-\(trace)-\(parent)-01", "00-\(trace)é-\(parent)-1",
    ])
    func `is none if it is malformed`(_ value: String) {
        #expect(TraceContext(value) == nil)
    }

    @Test func `can be made`() {
        let context = TraceContext(traceID: Self.trace, parentID: Self.parent, flags: 1)
        #expect(context?.description == "00-\(Self.trace)-\(Self.parent)-01")
        #expect(TraceContext(traceID: Self.parent, parentID: Self.parent, flags: 0) == nil)
        #expect(TraceContext(traceID: Self.trace, parentID: "x", flags: 0) == nil)
    }
}
