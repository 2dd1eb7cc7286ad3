import WharfHTTP

/// A message that is being sent, frame by frame, while its body may still be growing.
final class OutgoingMessage {
    /// Why its next frame is not to be sent, or nothing.
    enum Obstacle {
        /// It is a reply to what has not come whole.
        case held
        /// The other end has to say first that it has taken something.
        case paused
        /// There is nothing to be sent until the body grows.
        case starved
    }

    let id: BLIPMessageID
    let isUrgent: Bool
    private let version: BLIPVersion
    private var kind: BLIPFrameHead.Kind
    private var flags: BLIPFrameHead.Flags = []

    private var offset = 0
    /// Whether nothing is to be appended any more.
    private(set) var isWhole: Bool
    private var packer: BodyPacker?

    /// Whether its first frame has been sent.
    private(set) var hasBegun = false
    /// Whether its last frame has been sent.
    private(set) var isSent = false
    /// Whether it must not be sent yet.
    var isHeld = false
    /// Whether it lies in the queue.
    var isQueued = false
    private var sentCount: UInt64 = 0
    private var acknowledgedCount: UInt64 = 0

    init(_ id: BLIPMessageID, _ message: BLIPOutgoing, _ version: BLIPVersion, isWhole: Bool = true)
    {
        self.id = id
        self.version = version
        self.isWhole = isWhole
        isUrgent = message.head.isUrgent
        kind = id.isReply ? (message.head.isError ? .error : .response) : .request
        if message.head.isUrgent { flags.insert(.urgent) }
        if message.head.wantsNoReply, !id.isReply { flags.insert(.noReply) }
        if message.head.isMeta, version != .v3 { flags.insert(.meta) }
        message.head.properties.append(to: &bytes, version)
        if message.isCompressed {
            if version == .v3 {
                flags.insert(.compressed)
            } else if let packer = BodyPacker() {
                flags.insert(.compressed)
                self.packer = packer
            }
        }
        if !message.body.isEmpty || isWhole { pack(message.body) }
    }

    /// Bytes that were not sent.
    var heldCount: Int { bytes.count - offset }

    // MARK: Growing

    /// Adds to the body of one that is not whole.
    func append(_ body: [UInt8]) {
        guard !isWhole else { return }
        dropSent()
        pack(body)
    }

    /// Nothing more is appended.
    func finish() {
        guard !isWhole else { return }
        isWhole = true
        pack([])
    }

    private func pack(_ body: [UInt8]) {
        guard let packer else { return bytes += body }
        packer.pack(body, isLast: isWhole, to: &bytes)
    }

    /// Becomes an error before its first frame, or ends as one after it.
    func fail(_ error: BLIPOutgoing) {
        kind = .error
        isWhole = true
        packer = nil
        offset = 0
        bytes = []
        guard !hasBegun else { return }
        flags.remove(.compressed)
        error.head.properties.append(to: &bytes, version)
        bytes += error.body
    }

    /// Becomes a request that asks nothing, as its number has to be used.
    func hollow() {
        isWhole = true
        packer = nil
        offset = 0
        bytes = []
        flags = [.noReply]
        BLIPProperties().append(to: &bytes, version)
    }

    private func dropSent() {
        guard offset > 0 else { return }
        bytes.removeFirst(offset)
        offset = 0
    }

    // MARK: Sending

    /// The next frame, of at most so many bytes of payload.
    func nextFrame(payloadMax: Int) -> (head: BLIPFrameHead, payload: Range<Int>) {
        let end = min(bytes.count, offset + max(1, payloadMax))
        var flags = flags
        if end < bytes.count || !isWhole { flags.insert(.moreComing) }
        return (BLIPFrameHead(kind, number: id.number, flags: flags), offset..<end)
    }

    /// What is to be sent, of which ``nextFrame(payloadMax:)`` says which part is next.
    private(set) var bytes: [UInt8] = []

    /// A frame has been sent.
    func noteSent(upTo end: Int, wireCount: Int) {
        hasBegun = true
        offset = end
        sentCount &+= UInt64(wireCount)
        isSent = isWhole && end == bytes.count
    }

    /// What keeps it from being sent further.
    func obstacle(windowSize: Int) -> Obstacle? {
        if isHeld { return .held }
        if version.hasAcknowledgements, sentCount - acknowledgedCount >= UInt64(max(1, windowSize))
        {
            return .paused
        }
        return !isWhole && hasBegun && offset == bytes.count ? .starved : nil
    }

    /// The other end has taken so many bytes; a count that can't be is passed over.
    func acknowledge(_ count: UInt64) {
        guard count > acknowledgedCount, count <= sentCount else { return }
        acknowledgedCount = count
    }
}

/// Compresses one message's body (BLIP 1.1 and 2).
final class BodyPacker {
    // A class, as what it owns can't be copied.
    private var deflater: Deflater

    /// `nil` when zlib has no memory: then the body goes as it is.
    init?() {
        guard let deflater = try? Deflater(.gzip) else { return nil }
        self.deflater = deflater
    }

    /// Compresses a part; a part that is not the last one can be read by itself.
    func pack(_ body: [UInt8], isLast: Bool, to output: inout [UInt8]) {
        var start = 0
        while true {
            // It has a stream that it has begun, and all the room that it wants: nothing can fail.
            guard
                let step = try? deflater.deflate(
                    body.span.extracting(start..<body.count), flush: isLast ? .finish : .sync,
                    to: &output)
            else { return }
            start += step.consumed
            if step.isComplete { return }
        }
    }
}
