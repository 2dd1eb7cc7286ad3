/// A message that is coming in, frame by frame.
struct IncomingMessage {
    let id: BLIPMessageID
    /// Of its first frame.
    let flags: BLIPFrameHead.Flags
    private let isError: Bool
    private let version: BLIPVersion
    private let limits: BLIPLimits
    /// Bytes that its body may have.
    var bodyMax: Int

    /// What has come before the properties were whole; then `nil`.
    private var beginning: [UInt8]? = []
    private(set) var hasFailed = false
    private var bodyCount = 0
    private var unpacker: GzipBody?

    /// Bytes that count for the flow, and those that the other end was told of.
    private(set) var receivedCount: UInt64 = 0
    private var acknowledgedCount: UInt64 = 0
    /// Bytes of the body that were given out and not used.
    private(set) var unusedCount = 0

    init(
        _ id: BLIPMessageID, _ head: BLIPFrameHead, _ version: BLIPVersion, _ limits: BLIPLimits
    ) {
        self.id = id
        flags = head.flags
        isError = head.kind == .error
        self.version = version
        self.limits = limits
        bodyMax = limits.bodyMax
        if version != .v3, head.flags.contains(.compressed) { unpacker = GzipBody() }
    }

    /// Bytes that are held here until the properties are whole.
    var beginningCount: Int { beginning?.count ?? 0 }

    /// Takes the next frame; answers what it brings.
    ///
    /// `room` is how many bytes may be held more than are.
    mutating func take(_ frame: BLIPFrameDecoder.Frame, room: Int) -> [BLIPEvent] {
        receivedCount &+= UInt64(frame.wireCount)
        guard !hasFailed else { return [] }
        var events: [BLIPEvent] = []
        do throws(BLIPMessageFailure) {
            // A reply that ends as an error was given up by its sender, and is not to be used.
            guard isError || frame.head.kind != .error else { throw .abandoned }
            guard frame.payload.count <= room else { throw .noRoom }
            try take(frame.payload, room, into: &events)
            guard !frame.head.flags.contains(.moreComing) else { return events }
            guard beginning == nil else { throw .malformedProperties }
            guard unpacker?.isWhole ?? true else { throw .malformedBody }
            events.append(.ended(id))
        } catch {
            hasFailed = true
            unpacker = nil
            beginning = []
            events.append(.failed(id, error))
        }
        return events
    }

    private mutating func take(
        _ payload: [UInt8], _ room: Int, into events: inout [BLIPEvent]
    ) throws(BLIPMessageFailure) {
        guard var begun = beginning else { return try takeBody(payload[...], room, into: &events) }
        beginning = []
        begun += payload
        guard let (count, start) = try propertiesLength(begun) else {
            beginning = begun
            return
        }
        guard count <= UInt64(limits.propertiesMax) else { throw .tooLong }
        let end = start + Int(count)
        guard begun.count >= end else {
            beginning = begun
            return
        }
        beginning = nil
        events.append(.began(id, try head(begun[start..<end])))
        try takeBody(begun[end...], room, into: &events)
    }

    /// How long the properties are, and where they begin; `nil`: that has not come whole.
    private func propertiesLength(
        _ bytes: [UInt8]
    ) throws(BLIPMessageFailure) -> (count: UInt64, start: Int)? {
        if version == .v1 {
            guard bytes.count >= 2 else { return nil }
            return (UInt64(bytes[0]) << 8 | UInt64(bytes[1]), 2)
        }
        guard let (count, start) = Varint.read(bytes.span) else {
            guard bytes.count < Varint.byteCountMax else { throw .malformedProperties }
            return nil
        }
        return (count, start)
    }

    private func head(_ bytes: ArraySlice<UInt8>) throws(BLIPMessageFailure) -> BLIPMessageHead {
        do {
            var head = BLIPMessageHead(try BLIPProperties(reading: bytes, version))
            head.isUrgent = flags.contains(.urgent)
            head.wantsNoReply = flags.contains(.noReply)
            head.isError = isError
            head.isMeta = version != .v3 && flags.contains(.meta)
            return head
        } catch {
            throw .malformedProperties
        }
    }

    private mutating func takeBody(
        _ bytes: ArraySlice<UInt8>, _ room: Int, into events: inout [BLIPEvent]
    ) throws(BLIPMessageFailure) {
        guard !bytes.isEmpty else { return }
        var body = Array(bytes)
        let countMax = bodyMax - bodyCount
        if let unpacker {
            guard let unpacked = try unpacker.unpack(body, upTo: min(countMax, room)) else {
                throw room < countMax ? .noRoom : .tooLong
            }
            body = unpacked
        }
        guard body.count <= countMax else { throw .tooLong }
        bodyCount += body.count
        unusedCount += body.count
        if !body.isEmpty { events.append(.body(id, body)) }
    }

    // MARK: Flow

    /// So many bytes of the body have been used.
    mutating func noteUsed(_ count: Int) { unusedCount -= min(unusedCount, count) }

    /// Whether the other end waits to hear how much was taken: the count, or `nil`.
    ///
    /// What was not used is not counted, so that no more comes than is used; with `isAll` it is.
    mutating func acknowledgement(isAll: Bool) -> UInt64? {
        guard version.hasAcknowledgements else { return nil }
        // What was unpacked is counted as if it had come so: it is rarely less.
        let unused = isAll || hasFailed ? 0 : min(receivedCount, UInt64(unusedCount))
        let takenCount = receivedCount - unused
        guard takenCount >= acknowledgedCount,
            takenCount - acknowledgedCount >= UInt64(max(1, limits.acknowledgeEvery))
        else { return nil }
        acknowledgedCount = takenCount
        return takenCount
    }
}
