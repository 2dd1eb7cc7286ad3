import Testing
import WharfHTTP

/// The collections of requests as answers: their fields and bodies behind a status line.
@Suite struct ResponseCorpusTests {
    private struct Reading: Equatable {
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        var isFinished = false
        var refusal: HTTPParseError?
    }

    /// What a client would make of an answer that comes in pieces which end at the cuts.
    private func read(_ input: [UInt8], cuts: [Int]) -> Reading {
        var reading = Reading()
        var parser = HTTPResponseParser(requestMethod: .get)
        var decoder = ChunkedDecoder()
        var position = 0
        do throws(HTTPParseError) {
            for cut in cuts + [input.count] {
                if reading.head == nil {
                    let seen = input[..<cut]
                    guard let head = try parser.parse(seen.span) else { continue }
                    reading.head = head
                    position = head.byteCount
                }
                guard reading.head?.framing == .chunked else { continue }
                while position < cut, !decoder.isFinished {
                    let rest = input[position..<cut]
                    let step = try decoder.decode(rest.span)
                    reading.body += input[position..<cut].dropFirst(step.data.lowerBound)
                        .prefix(step.data.count)
                    position += step.consumed
                }
            }
            reading.isFinished = decoder.isFinished
        } catch {
            reading.refusal = error
        }
        return reading
    }

    /// The input with a status line in the place of its request line.
    private func answer(_ input: [UInt8]) -> [UInt8]? {
        guard let end = input.firstIndex(of: 10) else { return nil }
        return Array("HTTP/1.1 200 OK\r\n".utf8) + input[(end + 1)...]
    }

    @Test(arguments: ["llhttp", "own_wire", "smuggler", "http11probe", "own_prefixes"])
    func `any cut gives the outcome of the whole`(name: String) throws {
        guard let cases = CorpusCase.all(of: name) else { return }
        var count = 0
        for one in cases {
            guard let input = answer(one.input), input.count < 4000 else { continue }
            count += 1
            let whole = read(input, cuts: [])
            for cut in stride(from: 1, to: input.count, by: max(1, input.count / 40)) {
                let halves = read(input, cuts: [cut])
                #expect(halves == whole, "\(one.id) cut at \(cut)")
            }
            let small = Array(input.indices.prefix(600))
            #expect(read(input, cuts: small) == whole, "\(one.id), byte by byte")
        }
        #expect(count > 0)
    }

    @Test func `framing that contradicts itself is refused in answers, too`() throws {
        guard let cases = CorpusCase.all(of: "smuggler") else { return }
        for one in cases where one.expectation == "reject" {
            guard let input = answer(one.input) else { continue }
            let reading = read(input, cuts: [])
            let fields = reading.head?.response.headerFields
            let hasBoth =
                fields?.contains(.transferEncoding) == true
                && fields?.contains(.contentLength) == true
            #expect(!hasBoth, "\(one.id)")
        }
    }
}
