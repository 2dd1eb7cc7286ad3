import WharfBLIPEngine
import WharfNet

/// What has come of one message.
final class BLIPInbox: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.

    /// Who takes what comes.
    enum Use {
        /// Nobody.
        case dropped
        /// It is kept until all is there.
        case whole
        /// It is read as it comes.
        case streamed
    }

    let id: BLIPMessageID
    var use: Use
    private var pieces: [[UInt8]] = []
    /// Bytes that are kept here.
    private(set) var count = 0
    /// Bytes that came so far.
    private(set) var receivedCount = 0
    /// Bytes that were taken all at once by who still uses them.
    var lentCount = 0
    var isWhole = false
    var failure: BLIPConnectionError?
    var isReading = false
    let arrival: LoopGate

    /// Short pieces are joined up to this size: each costs more than its bytes.
    private static let joinMax = 16 * 1024

    init(_ id: BLIPMessageID, _ use: Use, _ loop: EventLoop) {
        self.id = id
        self.use = use
        arrival = LoopGate(loop)
    }

    func append(_ piece: [UInt8]) {
        count += piece.count
        receivedCount += piece.count
        if pieces.isEmpty || (use == .streamed && pieces[pieces.count - 1].count >= Self.joinMax) {
            pieces.append(piece)
        } else {
            pieces[pieces.count - 1] += piece
        }
    }

    /// The first piece, if there is one.
    func take() -> [UInt8]? {
        guard !pieces.isEmpty else { return nil }
        let piece = pieces.removeFirst()
        count -= piece.count
        return piece
    }

    /// Drops what is kept; answers how much that was.
    func drop() -> Int {
        defer {
            pieces = []
            count = 0
        }
        return count
    }
}
