import WharfNet
import WharfTesting

/// An answer as it came. This reader shares no code with the server.
struct SimulatedAnswer: Sendable {
    var status = 0
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    func values(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    var closes: Bool { values("connection").contains("close") }
}

/// The connection ended where an answer was expected.
struct AnswerCut: Error {
    /// By FIN; otherwise by RST.
    var isFinish: Bool
    /// Bytes of the answer that had come.
    var byteCount: Int
    var errno: Errno?
}

/// Something that no server may send, or not this one here.
struct WrongAnswer: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Reads answers, one after the other, and is strict.
struct SimulatedAnswerReader {
    private let client: SimulatedClient
    private var buffer: [UInt8] = []
    private var start = 0
    private var answerByteCount = 0

    init(_ client: SimulatedClient) {
        self.client = client
    }

    /// The next answer; those of the class 1xx count too.
    mutating func next(isHead: Bool) async throws -> SimulatedAnswer {
        answerByteCount = buffer.count - start
        var answer = SimulatedAnswer()
        let line = try await nextLine()
        guard line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3)),
            line.dropFirst(12).first == " "
        else { throw WrongAnswer("a status line that is none: \(line)") }
        answer.status = status
        while true {
            let line = try await nextLine()
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: ":"), line[colon...].hasPrefix(": ") else {
                throw WrongAnswer("a field line that is none: \(line)")
            }
            let value = line[line.index(colon, offsetBy: 2)...]
            answer.fields.append((line[..<colon].lowercased(), String(value)))
        }
        if !isHead, status >= 200, status != 204, status != 304 {
            answer.body = try await body(of: answer)
        }
        return answer
    }

    /// The rest of what comes, to the end: what follows a 101.
    mutating func rest() async throws -> [UInt8] {
        while try await receive() {}
        defer { start = buffer.count }
        return Array(buffer[start...])
    }

    /// Waits for FIN, before which nothing more may come.
    mutating func expectEnd() async throws {
        answerByteCount = buffer.count - start
        if start < buffer.count { throw WrongAnswer("bytes after the last answer") }
        while try await receive() {
            throw WrongAnswer("bytes after the last answer: \(buffer.count - start)")
        }
    }

    private mutating func body(of answer: SimulatedAnswer) async throws -> [UInt8] {
        let lengths = answer.values("content-length")
        let codings = answer.values("transfer-encoding")
        guard lengths.count + codings.count <= 1 else { throw WrongAnswer("two framings") }
        if let text = lengths.first {
            guard let length = Int(text) else { throw WrongAnswer("a length of \(text)") }
            return try await take(length)
        }
        guard codings.first != nil else {
            guard answer.closes else { throw WrongAnswer("a body without an end") }
            return try await rest()
        }
        var body: [UInt8] = []
        while true {
            let line = try await nextLine()
            guard let count = Int(line, radix: 16) else { throw WrongAnswer("a chunk of \(line)") }
            if count > 0 { body += try await take(count) }
            guard try await nextLine().isEmpty else { throw WrongAnswer("a chunk without an end") }
            if count == 0 { return body }
        }
    }

    private mutating func nextLine() async throws -> String {
        while true {
            if let end = buffer[start...].firstIndex(of: 10) {
                guard end > start, buffer[end - 1] == 13 else { throw WrongAnswer("a bare LF") }
                defer { start = end + 1 }
                return String(decoding: buffer[start..<(end - 1)], as: UTF8.self)
            }
            try await receiveMore()
        }
    }

    private mutating func take(_ count: Int) async throws -> [UInt8] {
        while buffer.count - start < count { try await receiveMore() }
        defer { start += count }
        return Array(buffer[start..<(start + count)])
    }

    private mutating func receiveMore() async throws {
        guard try await receive() else {
            throw AnswerCut(isFinish: true, byteCount: answerByteCount)
        }
    }

    private mutating func receive() async throws -> Bool {
        if start > 0, start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            start = 0
        }
        do throws(Errno) {
            guard let bytes = try await client.receive() else { return false }
            buffer += bytes
            answerByteCount += bytes.count
            return true
        } catch {
            throw AnswerCut(isFinish: false, byteCount: answerByteCount, errno: error)
        }
    }
}
