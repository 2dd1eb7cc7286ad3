import Testing
import WharfHTTP

/// Where the bytes were cut must not matter, and nothing short of the whole may pass.
@Suite struct SplitTests {
    static let heads: [[UInt8]] = [
        request("Content-Length: 5", "Connection: keep-alive, Upgrade", "Upgrade: a"),
        request("X-A: 0123456789 0123456789\t\u{E9}  ", "X-B:", "Expect: 100-continue"),
        bytes("\r\n\r\nGET http://[::1]:80/a/b/c/d?e HTTP/1.1\r\nHost: a\r\n\r\nGET / HTT"),
        bytes("PROPPATCH /0123456789012345678901234567890 HTTP/1.0\r\n\r\n"),
        request("Content-Length: 5", "Transfer-Encoding: chunked"),
        request("X-A : b"), request("X-A: b\u{0}0123456789"), request("X-A: b\n"),
        bytes("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"), bytes("GET / HTTP/1.1\rX"),
        bytes("GET / HTTP/2.0\r\nHost: a\r\n\r\n"), request("Host: b", "X: y"),
    ]

    @Test(arguments: heads) func `a head gives the same at every cut`(input: [UInt8]) {
        let whole = parseHead(input)
        for cut in 0...input.count {
            #expect(parseHead(input, cuts: [cut]) == whole)
        }
        #expect(parseHead(input, cuts: Array(0...input.count)) == whole)
        #expect(parseHead(input, cuts: Array(stride(from: 0, to: input.count, by: 7))) == whole)
    }

    @Test(arguments: heads) func `a head cut short never passes`(input: [UInt8]) {
        guard let head = parseHead(input).value else { return }
        for count in 0..<head.byteCount {
            #expect(parseHead(Array(input[..<count])) == .incomplete)
        }
    }

    static let chunked: [[UInt8]] = [
        bytes("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\nGET / HTTP/1.1"),
        bytes("A\r\n0123456789\r\n0\r\nX-T: 1\r\nY: \t2 \r\n\r\nmore"),
        bytes("5;a;b=c;d=\"e\\\" f\"; g\r\nhello\r\n00000;x\r\n\r\n"),
        bytes("0000000000000001\r\nx\r\n0\r\n\r\n"), bytes("5\r\nhelloX\r\n0\r\n\r\n"),
        bytes("5\nhello\r\n0\r\n\r\n"), bytes("0\r\nX : y\r\n\r\n"), bytes("5;a=\r\nhello"),
    ]

    @Test(arguments: chunked) func `chunks give the same at every cut`(input: [UInt8]) {
        let whole = decodeChunks(input)
        for cut in 0...input.count {
            #expect(decodeChunks(input, cuts: [cut]) == whole)
        }
        #expect(decodeChunks(input, cuts: Array(0...input.count)) == whole)
    }

    @Test(arguments: chunked) func `chunks cut short never pass`(input: [UInt8]) {
        guard let body = decodeChunks(input).value else { return }
        for count in 0..<body.consumed {
            #expect(decodeChunks(Array(input[..<count])) == .incomplete)
        }
    }
}
