import WharfHTTP

/// A message that is coming in, frame by frame.
struct IncomingMessage {
    let id: BLIPMessageID
    /// Of its first frame.
    let flags: BLIPFrameHead.Flags
    private let isError: Bool
    private let version: BLIPVersion
    private let limits: BLIPLimits

    /// What has come before the properties were whole; then `nil`.
    private var beginning: [UInt8]? = []
    private(set) var hasFailed = false
    private var bodyCount = 0
    private var unpacker: GzipBody?

    /// Bytes that count for the flow, and those that the other end was told of.
    private(set) var receivedCount: UInt64 = 0
    private var acknowledgedCount: UInt64 = 0

    init(
        _ id: BLIPMessageID, _ head: BLIPFrameHead, _ version: BLIPVersion, _ limits: BLIPLimits
    ) {
        self.id = id
        flags = head.flags
        isError = head.kind == .error
        self.version = version
        self.limits = limits
        if version == .v2, head.flags.contains(.compressed) { unpacker = GzipBody() }
    }

    /// Takes the next frame; answers what it brings.
    mutating func take(_ frame: BLIPFrameDecoder.Frame) -> [BLIPEvent] {
        receivedCount &+= UInt64(frame.wireCount)
        guard !hasFailed else { return [] }
        var events: [BLIPEvent] = []
        do throws(BLIPMessageFailure) {
            try take(frame.payload, into: &events)
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
        _ payload: [UInt8], into events: inout [BLIPEvent]
    ) throws(BLIPMessageFailure) {
        guard var begun = beginning else { return try takeBody(payload[...], into: &events) }
        begun += payload
        guard let (count, start) = Varint.read(begun.span) else {
            guard begun.count < Varint.byteCountMax else { throw .malformedProperties }
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
        try takeBody(begun[end...], into: &events)
    }

    private func head(_ bytes: ArraySlice<UInt8>) throws(BLIPMessageFailure) -> BLIPMessageHead {
        do {
            var head = BLIPMessageHead(try BLIPProperties(reading: bytes, version))
            head.isUrgent = flags.contains(.urgent)
            head.wantsNoReply = flags.contains(.noReply)
            head.isError = isError
            head.isMeta = version == .v2 && flags.contains(.meta)
            return head
        } catch {
            throw .malformedProperties
        }
    }

    private mutating func takeBody(
        _ bytes: ArraySlice<UInt8>, into events: inout [BLIPEvent]
    ) throws(BLIPMessageFailure) {
        guard !bytes.isEmpty else { return }
        var body = Array(bytes)
        if let unpacker { body = try unpacker.unpack(body, upTo: limits.bodyMax - bodyCount) }
        bodyCount += body.count
        guard bodyCount <= limits.bodyMax else { throw .tooLong }
        if !body.isEmpty { events.append(.body(id, body)) }
    }

    /// Whether the other end waits to hear how much was taken: the count, or `nil`.
    mutating func acknowledgement() -> UInt64? {
        guard receivedCount - acknowledgedCount >= UInt64(limits.acknowledgeEvery) else {
            return nil
        }
        acknowledgedCount = receivedCount
        return receivedCount
    }
}

/// Decompresses one message's body (BLIP 2).
final class GzipBody {
    // A class, as what it owns can't be copied, and messages lie in a table.
    private var inflater: Inflater?
    private var hasBegun = false

    /// Whether the stream has ended, or never begun: some peers send no gzip of an empty body.
    private(set) var isWhole = true

    /// Decompresses what came; throws past `countMax`.
    func unpack(
        _ bytes: [UInt8], upTo countMax: Int
    ) throws(BLIPMessageFailure) -> [UInt8] {
        guard !hasBegun || !isWhole else { throw .malformedBody }
        var output: [UInt8] = []
        do {
            var inflater = try inflater.take() ?? Inflater(.gzip, totalMax: .max)
            hasBegun = true
            var start = 0
            while !inflater.isFinished, output.count <= countMax {
                let step = try inflater.inflate(
                    bytes.span.extracting(start..<bytes.count), to: &output)
                start += step.consumed
                if step.isComplete { break }
            }
            isWhole = inflater.isFinished
            guard !isWhole || start == bytes.count else { throw CompressionError.ended }
            self.inflater = consume inflater
        } catch {
            throw .malformedBody
        }
        guard output.count <= countMax else { throw .tooLong }
        return output
    }
}
