/// The body of a request that a test sends.
public struct TestBody: Sendable {
    let pieces: [[UInt8]]
    /// `nil`: chunked.
    let length: Int64?
    /// It ends before it should.
    let isCut: Bool

    /// No body.
    public static let none = TestBody(pieces: [], length: 0, isCut: false)

    /// Bytes whose number is announced.
    public static func bytes(_ bytes: [UInt8]) -> TestBody {
        TestBody(pieces: [bytes], length: Int64(bytes.count), isCut: false)
    }

    /// A text in UTF-8.
    public static func text(_ text: String) -> TestBody { .bytes(Array(text.utf8)) }

    /// Bytes that come one piece after the other, and whose number is not known before.
    public static func chunks(_ pieces: [[UInt8]]) -> TestBody {
        TestBody(pieces: pieces, length: nil, isCut: false)
    }

    /// The beginning of a body of which more was announced: the client goes away in its midst.
    public static func cut(_ bytes: [UInt8], of length: Int64) -> TestBody {
        TestBody(pieces: [bytes], length: length, isCut: true)
    }

    var isEmpty: Bool { length == 0 }
}
