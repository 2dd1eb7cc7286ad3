import Testing
import WharfHTTP

/// Every limit, met and passed by one.
@Suite struct MultipartLimitTests {
    private static let end = bytes("\r\n--AaB03x--")

    @Test(arguments: [(3, true), (2, false)])
    func `the number of parts is limited`(max: Int, passes: Bool) {
        let part = partHead("form-data; name=a")
        let body = part + bytes("\r\n") + part + bytes("\r\n") + part + Self.end
        expect(body, MultipartLimits(partCountMax: max), passes)
    }

    @Test(arguments: [(100, true), (99, false)])
    func `the text before the first part is limited`(max: Int, passes: Bool) {
        let body =
            bytes(String(repeating: "p", count: 100) + "\r\n") + partHead("form-data; name=a")
            + Self.end
        // Who sends more than that sends no form.
        expect(body, MultipartLimits(preambleMax: max), passes, status: 400)
    }

    @Test(arguments: [(2, true), (1, false)])
    func `the number of fields of a part is limited`(max: Int, passes: Bool) {
        expect(Self.part("X: y\r\n"), MultipartLimits(fieldCountMax: max), passes)
    }

    @Test(arguments: [(100, true), (99, false)])
    func `a field of a part is limited`(max: Int, passes: Bool) {
        let line = "X: " + String(repeating: "y", count: 97) + "\r\n"
        expect(Self.part(line), MultipartLimits(fieldMax: max), passes)
    }

    @Test(arguments: [(42 + 102, true), (42 + 101, false)])
    func `the fields of a part are limited together`(max: Int, passes: Bool) {
        let line = "X: " + String(repeating: "y", count: 97) + "\r\n"
        expect(Self.part(line), MultipartLimits(fieldsMax: max), passes)
    }

    @Test(arguments: [(64, true), (65, false)])
    func `white space after a boundary is limited`(count: Int, passes: Bool) {
        let padding = bytes(String(repeating: " ", count: count) + "\r\n")
        let head = partHead("form-data; name=a").dropFirst(10)
        let form = parseForm(bytes("--AaB03x") + padding + head + Self.end)
        #expect(form.isFinished == passes)
        #expect(passes || form.status == 400)
    }

    private static func part(_ fields: String) -> [UInt8] {
        // Its first field line is of 40 bytes and a line end.
        let head = "Content-Disposition: form-data; name=\"a\""
        return bytes("--AaB03x\r\n\(head)\r\n\(fields)\r\n") + end
    }

    private func expect(
        _ body: [UInt8], _ limits: MultipartLimits, _ passes: Bool, status: Int = 413
    ) {
        let form = parseForm(body, limits: limits)
        #expect(form.isFinished == passes)
        #expect(passes || form.status == status)
        #expect(parseForm(body, limits: limits, cuts: Array(1..<body.count)) == form)
    }
}
