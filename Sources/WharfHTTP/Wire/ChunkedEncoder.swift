/// Writes the framing of the chunked coding around data that the caller sends (RFC 9112 §7.1).
package enum ChunkedEncoder {
    /// The bytes that follow the data of each chunk.
    package static let dataEnd: [UInt8] = [ASCII.carriageReturn, ASCII.lineFeed]

    /// Appends the size line of a chunk.
    ///
    /// Nothing for an empty one: size 0 would end the body.
    package static func appendHead(count: Int, to output: inout [UInt8]) {
        guard count > 0 else { return }
        var shift = (Int.bitWidth - count.leadingZeroBitCount - 1) / 4 * 4
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: count >> shift) & 0xF
            output.append(digit < 10 ? ASCII.zero + digit : 0x61 + digit - 10)
            shift -= 4
        }
        output.append("\r\n")
    }

    /// Appends the last chunk, the trailers and the end of the body.
    package static func appendEnd(trailers: HTTPFields = HTTPFields(), to output: inout [UInt8]) {
        output.append("0\r\n")
        HeadSerializer.appendFields(trailers, to: &output)
        output.append("\r\n")
    }
}
