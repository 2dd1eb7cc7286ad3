import WharfHTTP
import WharfNet

/// What the connections of one loop share: the Date field, buffers that nobody uses, each other.
///
/// It is confined to its loop.
final class LoopState: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.

    let loop: EventLoop
    private(set) var connections: [UInt64: HTTPServerConnection] = [:]
    @exclusivity(unchecked) private(set) var isDraining = false
    /// The route that was run last, for whoever asks what held the loop.
    @exclusivity(unchecked) var currentRoute: Route?

    @exclusivity(unchecked) private var dateSecond = UInt64.max
    @exclusivity(unchecked) private var dateField: [UInt8] = []
    @exclusivity(unchecked) private var spareBuffers: [[UInt8]] = []

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Has the loop log what held it longer than it should be.
    func reportStalls(to log: HTTPLog) {
        loop.onStall = { [weak self] nanoseconds in
            let name = unsafe self?.currentRoute.map { "\($0.description)" } ?? "no route"
            log(.notice, "a loop was held for \(nanoseconds / 1_000_000) ms; it ran \(name)")
        }
    }

    func insert(_ connection: HTTPServerConnection) {
        connections[connection.id] = connection
    }

    func remove(_ connection: HTTPServerConnection) {
        connections[connection.id] = nil
    }

    /// Lets idle connections go, and those that are busy after their present exchange.
    func beginDraining() {
        unsafe isDraining = true
        for connection in connections.values { connection.drain() }
    }

    /// Ends all connections, busy or not.
    func interruptAll() {
        unsafe isDraining = true
        for connection in connections.values { connection.interrupt() }
    }

    /// Appends the Date field's line, made once a second (RFC 9110 §6.6.1).
    func appendDate(to output: inout [UInt8]) {
        let second = loop.now / 1_000_000_000
        if unsafe second != dateSecond {
            unsafe dateSecond = second
            unsafe dateField.removeAll(keepingCapacity: true)
            unsafe dateField.append(contentsOf: "Date: ".utf8)
            unsafe HTTPDate(unixSeconds: loop.system.unixTime()).append(to: &dateField)
            unsafe dateField.append(contentsOf: "\r\n".utf8)
        }
        unsafe output.append(contentsOf: dateField)
    }

    /// An empty buffer with memory from an earlier use, if there is one.
    func takeBuffer() -> [UInt8] {
        unsafe spareBuffers.popLast() ?? []
    }

    /// Keeps a buffer's memory for the next who needs one.
    func giveBack(_ buffer: consuming [UInt8]) {
        // A large one is rare and would stay for ever.
        guard buffer.capacity > 0, buffer.capacity <= 128 * 1024, unsafe spareBuffers.count < 16
        else {
            return
        }
        buffer.removeAll(keepingCapacity: true)
        unsafe spareBuffers.append(buffer)
    }
}
