import WharfHTTP
import WharfNet

/// Collects the bytes of one connection's exchanges for a ``Recording``.
///
/// It is used on the connection's loop.
final class ExchangeRecorder: StreamTap {
    private let recording: Recording
    private let server: ServerContext
    private var request: [UInt8] = []
    private var response: [UInt8] = []
    private var outcome: (method: HTTPRequest.Method, status: HTTPResponse.Status)?
    /// The present exchange is too long, or there is no room for it.
    private var isDropped = false

    init(_ recording: Recording, server: ServerContext) {
        self.recording = recording
        self.server = server
    }

    // MARK: What goes by

    func note(used bytes: [UInt8]) { append(bytes, to: \.request) }

    func note(sent bytes: [UInt8]) { append(bytes, to: \.response) }

    func note(sent span: FileSpan, _ range: Range<Int64>) {
        // It was sent just now, so it is in memory.
        append((try? FileSpan(span.handle, range).bytes()) ?? [], to: \.response)
    }

    private func append(
        _ bytes: [UInt8], to message: ReferenceWritableKeyPath<ExchangeRecorder, [UInt8]>
    ) {
        guard !isDropped else { return }
        let count = self[keyPath: message].count + bytes.count
        guard count <= recording.limits.messageByteCountMax, recording.reserve(bytes.count) else {
            drop()
            return
        }
        self[keyPath: message] += bytes
    }

    private func drop() {
        isDropped = true
        recording.release(request.count + response.count)
        (request, response) = ([], [])
    }

    // MARK: Exchanges

    /// A head is about to be used: what went before belongs to the exchange before.
    func begin() {
        write()
        recording.release(request.count + response.count)
        (request, response) = ([], [])
        outcome = nil
        isDropped = false
    }

    /// An exchange is over, except that the rest of its body may still be thrown away.
    func note(_ method: HTTPRequest.Method, _ status: HTTPResponse.Status?) {
        outcome = status.map { (method, $0) }
    }

    private func write() {
        guard let (method, status) = outcome else { return }
        guard !isDropped, let number = recording.nextNumber() else {
            if recording.isFirstToTellEnd() {
                server.log(.notice, "not all is recorded: an exchange is too long, or too many are")
            }
            return
        }
        let exchange = RecordedExchange(
            method: method, status: status, request: request, response: response)
        // They are on the disk now, and count there.
        (request, response) = ([], [])
        server.pool.submit { [recording, server] in
            do throws(Errno) {
                try recording.write(number, exchange)
            } catch {
                server.log(.error, "can't record exchange \(number): \(error)")
            }
        }
    }
}
