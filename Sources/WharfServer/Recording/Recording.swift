import WharfHTTP
public import WharfNet

/// Keeps what clients send and are answered, in files that a test can replay.
///
/// Each exchange is a pair: `001-GET.request` and `001-200.response`, with the bytes as they went
/// over the wire; of an upgrade the heads. What is refused as no request, or gets no answer, is not
/// kept. The files hold passwords and cookies: only their owner may read them.
public final class Recording: Sendable {
    /// How much is kept at most.
    public struct Limits: Sendable {
        /// Exchanges; later ones are not kept.
        public var exchangeCountMax = 1000
        /// Bytes of all exchanges, those under way included.
        public var byteCountMax = 256 * 1024 * 1024
        /// Bytes of one request or one answer; an exchange with a longer one is not kept.
        public var messageByteCountMax = 16 * 1024 * 1024

        /// 1,000 exchanges, 256 MiB, 16 MiB a message.
        public init() {}
    }

    private struct State {
        var lastNumber: Int
        var exchangeCount = 0
        var byteCount = 0
        var hasToldEnd = false
    }

    let limits: Limits
    private let folder: String
    private let state: Locked<State>

    /// Records into a folder that is there, behind the exchanges that it holds already.
    ///
    /// Throws what the system says when it can't be read.
    public init(folder: String, limits: Limits = Limits()) throws(Errno) {
        self.folder = folder
        self.limits = limits
        state = Locked(State(lastNumber: try Self.lastNumber(in: folder)))
    }

    private static func lastNumber(in folder: String) throws(Errno) -> Int {
        let root = try RootedDirectory(path: folder, system: .withoutLoop)
        let reader = try root.list(try root.open("", cachedOnly: false).get()).get()
        var last = 0
        while case let entries = try reader.next().get(), !entries.isEmpty {
            for entry in entries where entry.name.count < 256 {
                let digits = entry.name.prefix { (0x30...0x39).contains($0) }
                last = max(last, Int(String(decoding: digits, as: UTF8.self)) ?? 0)
            }
        }
        // The number after it is to be one as well.
        return min(last, 1_000_000)
    }

    /// Sets bytes aside for a message; false when there are no more.
    func reserve(_ byteCount: Int) -> Bool {
        state.withLock { state in
            guard state.byteCount + byteCount <= limits.byteCountMax else { return false }
            state.byteCount += byteCount
            return true
        }
    }

    func release(_ byteCount: Int) { state.withLock { $0.byteCount -= byteCount } }

    /// A number for an exchange, or `nil` when there were enough.
    func nextNumber() -> Int? {
        state.withLock { state in
            guard state.exchangeCount < limits.exchangeCountMax else { return nil }
            state.exchangeCount += 1
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Whether it is the first time that somebody asks: for the one line that says it.
    func isFirstToTellEnd() -> Bool {
        state.withLock { state in
            defer { state.hasToldEnd = true }
            return !state.hasToldEnd
        }
    }

    /// Writes a pair; it waits for the disk.
    func write(_ number: Int, _ exchange: RecordedExchange) throws(Errno) {
        let digits = String(number)
        let prefix = String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
        try WholeFile.create(
            "\(folder)/\(prefix)-\(exchange.method).request", exchange.request)
        try WholeFile.create(
            "\(folder)/\(prefix)-\(exchange.status.code).response", exchange.response)
    }
}

/// One exchange as it went over the wire.
struct RecordedExchange: Sendable {
    let method: HTTPRequest.Method
    let status: HTTPResponse.Status
    let request: [UInt8]
    let response: [UInt8]
}
