import Glibc
package import WharfNet

/// A client that sends bytes as they are and reads what comes.
package enum RawClient {
    /// Sends bytes, and reads until the server closes or ten seconds have passed.
    package static func exchange(_ bytes: [UInt8], with address: SocketAddress) async throws
        -> [UInt8]
    {
        // Its calls block, and Swift's own threads are as few as the processor's cores.
        try await withCheckedThrowingContinuation { continuation in
            do {
                try Thread.start(name: "client") {
                    continuation.resume(
                        with: Result { try exchangeBlocking(bytes, with: address) })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Sends a text, and reads until the server closes.
    package static func exchange(_ text: String, with address: SocketAddress) async throws
        -> RawResponse
    {
        RawResponse(try await exchange(Array(text.utf8), with: address))
    }

    private static func exchangeBlocking(_ bytes: [UInt8], with address: SocketAddress)
        throws(Errno) -> [UInt8]
    {
        let descriptor = try connect(to: address)
        defer { close(descriptor) }
        try send(bytes, to: descriptor)
        var all: [UInt8] = []
        while true {
            let piece = try receive(from: descriptor)
            if piece.isEmpty { return all }
            all += piece
        }
    }

    /// A connected descriptor, whose reads give up after ten seconds.
    private static func connect(to address: SocketAddress) throws(Errno) -> Int32 {
        let system = try System()
        let descriptor = Int32(try system.socket(for: address).get())
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        do throws(Errno) {
            _ = try system.connect(descriptor, to: address).get()
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Sends all bytes.
    private static func send(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe libcSend(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { throw Errno(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Receives what is there; nothing at the end.
    private static func receive(from descriptor: Int32) throws(Errno) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &piece, piece.count, 0)
        guard count >= 0 else { throw Errno(errno) }
        return Array(piece.prefix(count))
    }
}

private func libcSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe Glibc.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
}

/// A response, taken apart as simply as can be.
package struct RawResponse: Sendable {
    /// The status, or 0 if there is no status line.
    package let status: Int
    /// The fields by their names in lower case; a later line replaces an earlier one.
    package let fields: [String: String]
    /// What follows the head, up to the connection's end.
    package let body: [UInt8]

    package init(_ bytes: [UInt8]) {
        var end = 0
        while end + 4 <= bytes.count, !bytes[end..<(end + 4)].elementsEqual("\r\n\r\n".utf8) {
            end += 1
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.dropFirst(9).prefix(3)) } ?? 0
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        self.fields = fields
        body = Array(bytes.dropFirst(end + 4))
    }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}
