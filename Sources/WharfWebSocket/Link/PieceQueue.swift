import WharfWebSocketCodec

/// Pieces that have come and were not taken yet.
struct PieceQueue {
    private var pieces: [WebSocketPiece] = []
    private var start = 0
    private var byteCount = 0

    /// What a piece takes beside its bytes, about.
    private static let overhead = 64
    private static let byteCountMax = 64 * 1024

    var isEmpty: Bool { start == pieces.count }

    /// Whether nothing more is to be read before something is taken.
    var isFull: Bool { byteCount >= Self.byteCountMax }

    mutating func append(_ piece: WebSocketPiece) {
        byteCount += piece.bytes.count + Self.overhead
        pieces.append(piece)
    }

    mutating func popFirst() -> WebSocketPiece? {
        guard start < pieces.count else { return nil }
        let piece = pieces[start]
        // Let go of here, so that whoever gets it has the only reference to its bytes.
        pieces[start] = WebSocketPiece(piece.kind, [], isLast: piece.isLast)
        start += 1
        byteCount -= piece.bytes.count + Self.overhead
        if start == pieces.count { removeAll() }
        return piece
    }

    mutating func removeAll() {
        pieces.removeAll(keepingCapacity: pieces.count <= 1024)
        start = 0
        byteCount = 0
    }
}
