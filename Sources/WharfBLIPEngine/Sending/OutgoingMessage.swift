import WharfHTTP

/// A message that is being sent, frame by frame.
struct OutgoingMessage {
    let id: BLIPMessageID
    let isUrgent: Bool
    private let kind: BLIPFrameHead.Kind
    private var flags: BLIPFrameHead.Flags = []
    private var bytes: [UInt8] = []
    private var offset = 0
    /// Whether its first frame has been sent.
    private(set) var hasBegun = false
    private var sentCount: UInt64 = 0
    private var acknowledgedCount: UInt64 = 0

    init(_ id: BLIPMessageID, _ message: BLIPOutgoing, _ version: BLIPVersion) {
        self.id = id
        isUrgent = message.head.isUrgent
        kind = id.isReply ? (message.head.isError ? .error : .response) : .request
        if message.head.isUrgent { flags.insert(.urgent) }
        if message.head.wantsNoReply, !id.isReply { flags.insert(.noReply) }
        if message.head.isMeta, version == .v2 { flags.insert(.meta) }
        message.head.properties.append(to: &bytes, version)
        if message.isCompressed, version == .v3 {
            flags.insert(.compressed)
        } else if message.isCompressed, let packed = Self.gzip(message.body) {
            flags.insert(.compressed)
            bytes += packed
            return
        }
        bytes += message.body
    }

    /// The next frame, of at most so many bytes of payload.
    func nextFrame(payloadMax: Int) -> (head: BLIPFrameHead, payload: Range<Int>) {
        let end = min(bytes.count, offset + max(1, payloadMax))
        var flags = flags
        if end < bytes.count { flags.insert(.moreComing) }
        return (BLIPFrameHead(kind, number: id.number, flags: flags), offset..<end)
    }

    func withBytes<Value, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(bytes.span)
    }

    /// A frame has been sent; answers whether it was the last one.
    mutating func noteSent(upTo end: Int, wireCount: Int) -> Bool {
        hasBegun = true
        offset = end
        sentCount &+= UInt64(wireCount)
        return end == bytes.count
    }

    /// Whether the other end has to say first that it has taken something.
    func isPaused(windowSize: Int) -> Bool {
        sentCount - acknowledgedCount >= UInt64(windowSize)
    }

    /// The other end has taken so many bytes; a count that can't be is passed over.
    mutating func acknowledge(_ count: UInt64) {
        guard count > acknowledgedCount, count <= sentCount else { return }
        acknowledgedCount = count
    }

    /// `nil` when zlib has no memory: then it goes as it is.
    private static func gzip(_ body: [UInt8]) -> [UInt8]? {
        guard var deflater = try? Deflater(.gzip) else { return nil }
        var packed: [UInt8] = []
        var start = 0
        while true {
            guard
                let step = try? deflater.deflate(
                    body.span.extracting(start..<body.count), flush: .finish, to: &packed)
            else { return nil }
            start += step.consumed
            if step.isComplete { return packed }
        }
    }
}
