import Testing
import WharfHTTP

@Suite struct HeadLimitTests {
    private let limits = HTTPHeadLimits(
        requestLineMax: 40, fieldMax: 30, fieldsMax: 100, fieldCountMax: 4)

    private func outcome(_ text: String) -> Outcome<HTTPRequestHead> {
        parseHead(bytes(text), limits: limits)
    }

    @Test func `a request line may have its limit and not one byte more`() {
        let path = "/" + String(repeating: "a", count: 40 - 14)
        #expect(outcome("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n").value != nil)
        #expect(outcome("GET \(path)b HTTP/1.1\r\nHost: a\r\n\r\n").status == 414)
        #expect(outcome("GET \(path)b HTTP/1.0\r\nHost: a\r\n\r\n").status == 414)
        #expect(outcome("\r\n\r\nGET \(path) HTTP/1.1\r\nHost: a\r\n\r\n").value != nil)
    }

    @Test func `a request line without an end is refused at the limit`() {
        #expect(outcome("GET /" + String(repeating: "a", count: 35)) == .incomplete)
        #expect(outcome("GET /" + String(repeating: "a", count: 36)).status == 414)
        #expect(outcome(String(repeating: "A", count: 40)) == .incomplete)
        #expect(outcome(String(repeating: "A", count: 41)).status == 400)
    }

    @Test(arguments: ["X: ", "X:", "X:      ", "XXXXXXXXXX: "])
    func `a field may have its limit and not one byte more`(start: String) {
        let line = start + String(repeating: "v", count: 30 - start.count)
        let head = "GET / HTTP/1.1\r\nHost: a\r\n"
        #expect(outcome(head + line + "\r\n\r\n").value != nil)
        #expect(outcome(head + line + "v\r\n\r\n").status == 431)
        #expect(outcome(head + line) == .incomplete)
        #expect(outcome(head + line + "v").status == 431)
    }

    @Test(arguments: ["x", "X: ", "X:"])
    func `a field without an end is refused at the limit`(start: String) {
        let filler = start == "X:" ? " " : "x"
        let line = start + String(repeating: filler, count: 30 - start.count)
        let head = "GET / HTTP/1.1\r\nHost: a\r\n"
        #expect(outcome(head + line) == .incomplete)
        #expect(outcome(head + line + filler).status == 431)
    }

    @Test func `all fields together may have their limit and not one byte more`() {
        // Host takes 9 with its end, and each other line 30.
        let line = "X: " + String(repeating: "v", count: 25) + "\r\n"
        let head = "GET / HTTP/1.1\r\nHost: a\r\n" + line + line
        let rest = "X: " + String(repeating: "v", count: 26)
        #expect(outcome(head + rest + "\r\n\r\n").value != nil)
        #expect(outcome(head + rest + "v\r\n\r\n").status == 431)
        #expect(outcome(head + rest + "v").status == 431)
    }

    @Test func `there may be as many fields as the limit says`() {
        let head = "GET / HTTP/1.1\r\nHost: a\r\n"
        #expect(outcome(head + "A: 1\r\nB: 2\r\nC: 3\r\n\r\n").value != nil)
        #expect(outcome(head + "A: 1\r\nB: 2\r\nC: 3\r\nD").status == 431)
    }

    @Test func `the default limits are those of the design`() {
        let limits = HTTPHeadLimits()
        #expect(limits.requestLineMax == 8192)
        #expect(limits.fieldMax == 8192)
        #expect(limits.fieldsMax == 32768)
        #expect(limits.fieldCountMax == 100)
        let lines = (0..<99).map { "X-\($0): a\r\n" }.joined()
        let head = "GET / HTTP/1.1\r\nHost: a\r\n" + lines
        #expect(parseHead(bytes(head + "\r\n")).value?.request.headerFields.count == 100)
        #expect(parseHead(bytes(head + "Y: a\r\n\r\n")).status == 431)
    }

    @Test func `limits of nothing and of everything do not trap`() {
        for limit in [Int.min, -1, 0, 1, 2, Int.max] {
            let limits = HTTPHeadLimits(
                requestLineMax: limit, fieldMax: limit, fieldsMax: limit, fieldCountMax: limit)
            let outcome = parseHead(request("A: b"), limits: limits)
            #expect((outcome.value != nil) == (limit == .max))
        }
    }
}
