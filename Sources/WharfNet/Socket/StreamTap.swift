/// Sees the bytes that a ``ByteStream`` uses and sends, on its loop.
package protocol StreamTap: AnyObject {
    /// Bytes of the input were understood.
    func note(used bytes: [UInt8])

    /// Bytes were made ready to be sent.
    func note(sent bytes: [UInt8])

    /// A part of a file, which is in memory, was sent.
    func note(sent span: FileSpan, _ range: Range<Int64>)
}
