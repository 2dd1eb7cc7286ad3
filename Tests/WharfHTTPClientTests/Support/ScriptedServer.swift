import Glibc
import WharfNet

/// A server that does on each connection what its script says, and keeps what it received.
///
/// It knows no protocol, so that it can break every one.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
        /// Reads until the end of a head.
        case head
        /// Reads so many bytes more.
        case read(Int)
        /// Reads until these bytes have come.
        case until(String)
        /// Reads until the client has finished.
        case readAll
        case send(String)
        case sendBytes([UInt8])
        /// Sends without end, until the client goes away.
        case sendForever(String)
        /// Sends a byte, waits for so many milliseconds, and so on.
        case dribble(String, milliseconds: UInt32)
        case pause(milliseconds: UInt32)
        /// Closes with RST.
        case reset
        /// Waits until the client has gone.
        case hold
    }

    let port: UInt16
    private let listener: Int32
    private let received = Locked<[[UInt8]]>([])
    private let isStopped = Locked(false)

    var url: String { "http://127.0.0.1:\(port)" }

    /// What came on each connection, in their order.
    var conversations: [String] {
        received.withLock { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    var byteCounts: [Int] { received.withLock { $0.map(\.count) } }

    /// Serves the scripts one after the other, each on a connection of its own; the last one serves
    /// all that follow.
    init(_ scripts: [[Step]]) throws {
        let system = try System()
        let descriptor = Int32(try system.socket(for: .loopback(port: 0)).get())
        _ = try system.listen(descriptor, at: .loopback(port: 0), backlog: 16).get()
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
        listener = descriptor
        port = system.localAddress(of: descriptor)?.port ?? 0
        try Thread.start(name: "scripted") { [self] in
            var number = 0
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, !isStopped.withLock({ $0 }) else { return }
                let script = scripts[min(number, scripts.count - 1)]
                let index = received.withLock { all in
                    all.append([])
                    return all.count - 1
                }
                number += 1
                try? Thread.start(name: "script") { [self] in
                    run(script, connection, index)
                    close(connection)
                }
            }
        }
    }

    convenience init(_ script: Step...) throws { try self.init([script]) }

    func stop() {
        isStopped.withLock { $0 = true }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func run(_ script: [Step], _ connection: Int32, _ index: Int) {
        var unused: [UInt8] = []
        func more() -> Bool {
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return false }
            received.withLock { $0[index] += piece.prefix(count) }
            unused += piece.prefix(count)
            return true
        }
        for step in script {
            switch step {
            case .head, .until:
                let mark = if case .until(let text) = step { text } else { "\r\n\r\n" }
                while true {
                    if let end = unused.end(of: Array(mark.utf8)) {
                        unused.removeFirst(end)
                        break
                    }
                    guard more() else { return }
                }
            case .read(let count):
                while unused.count < count { guard more() else { return } }
                unused.removeFirst(count)
            case .readAll: while more() { unused = [] }
            case .send(let text): guard send(Array(text.utf8), connection) else { return }
            case .sendBytes(let bytes): guard send(bytes, connection) else { return }
            case .sendForever(let text): while send(Array(text.utf8), connection) {}
            case .dribble(let text, let milliseconds):
                for byte in text.utf8 {
                    guard send([byte], connection) else { return }
                    usleep(milliseconds * 1000)
                }
            case .pause(let milliseconds): usleep(milliseconds * 1000)
            case .reset:
                var option = linger(l_onoff: 1, l_linger: 0)
                let size = socklen_t(MemoryLayout<linger>.size)
                unsafe setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, size)
                return
            case .hold: while more() { unused = [] }
            }
        }
    }

    private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension [UInt8] {
    /// Where what follows these bytes begins.
    fileprivate func end(of mark: [UInt8]) -> Int? {
        guard count >= mark.count else { return nil }
        return (0...(count - mark.count)).first { self[$0..<($0 + mark.count)].elementsEqual(mark) }
            .map { $0 + mark.count }
    }
}
