/// Where a client's keys come from: unpredictable ones, a new one for each frame (RFC 6455 §10.3).
struct MaskKeys: Sendable {
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private var stock: [UInt8] = []

    /// Asking for many bytes costs no more than asking for four.
    private static let stockCount = 256

    init(randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.randomBytes = randomBytes
    }

    mutating func next() -> UInt32 {
        if stock.count < 4 { stock = randomBytes(Self.stockCount) }
        var key: UInt32 = 0
        for byte in stock.suffix(4) { key = key << 8 | UInt32(byte) }
        stock.removeLast(min(4, stock.count))
        return key
    }
}
