import WharfHTTP
import WharfNet

/// What the connections of one loop share: the Date field, and each other.
///
/// It is confined to its loop.
final class LoopState: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.

    let loop: EventLoop
    let tally = LoopTally()
    private(set) var connections: [UInt64: HTTPServerConnection] = [:]
    private(set) var isDraining = false
    /// No connection waits for a next request.
    private(set) var closesIdle = false
    /// The route that was run last, for whoever asks what held the loop.
    var currentRouteID = RouteID(number: 0)

    /// Where a line of the access log is made.
    var logLine = LogLine()

    private var dateSecond = UInt64.max
    private var dateField: [UInt8] = []
    /// The commonest status line with the Date field.
    private var okStart: [UInt8] = []

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Has the loop log what held it longer than it should be.
    func reportStalls(to log: HTTPLog, router: Router) {
        loop.onStall = { [weak self, weak router] nanoseconds in
            let route = router?.table.index.routes.first { $0.id == self?.currentRouteID }
            let name = route?.description ?? "no route"
            log(.notice, "a loop was held for \(nanoseconds / 1_000_000) ms; it ran \(name)")
        }
    }

    /// Tells again and again how far requests have got, until the task is cancelled.
    func watchProgress(every interval: UInt64, _ events: EventHub) async {
        while (try? await loop.sleep(until: loop.now &+ interval)) != nil {
            guard events.hasListeners else { continue }
            for connection in inOrder { connection.tellProgress() }
        }
    }

    func insert(_ connection: HTTPServerConnection) {
        connections[connection.id] = connection
    }

    func remove(_ connection: HTTPServerConnection) {
        connections[connection.id] = nil
    }

    /// Connections that are in an exchange, or have become something else.
    var busyCount: Int { connections.values.count { $0.isBusy } }

    /// Lets idle connections go, and those that are busy after their present exchange.
    func beginDraining() {
        isDraining = true
        closesIdle = true
        for connection in inOrder { connection.drain() }
    }

    /// Ends all connections, busy or not, and those that come.
    func interruptAll() {
        isDraining = true
        closesIdle = true
        cutAll()
    }

    /// Ends the connections that there are, busy or not.
    func cutAll() {
        for connection in inOrder { connection.interrupt() }
    }

    /// Lets connections wait for a next request, or not: then those that do are ended.
    func setKeepsIdle(_ keepsIdle: Bool) {
        guard !isDraining else { return }
        closesIdle = !keepsIdle
        guard closesIdle else { return }
        for connection in inOrder { connection.endIfIdle() }
    }

    /// The oldest first: a dictionary's order differs from run to run, and a seed must replay.
    private var inOrder: [HTTPServerConnection] { connections.values.sorted { $0.id < $1.id } }

    /// Appends a status line and the Date field, which is made once a second (RFC 9110 §6.6.1).
    func appendStart(_ status: HTTPResponse.Status, to output: inout [UInt8]) {
        if loop.now / 1_000_000_000 != dateSecond { makeDate() }
        if status == .ok {
            // A copy of the reference first: no access to the property spans a call.
            let start = okStart
            output.append(contentsOf: start)
        } else {
            HeadSerializer.appendStatusLine(status, to: &output)
            output.append(contentsOf: dateField)
        }
    }

    private func makeDate() {
        dateSecond = loop.now / 1_000_000_000
        var date = Array("Date: ".utf8)
        HTTPDate(unixSeconds: loop.system.unixTime()).append(to: &date)
        date.append(contentsOf: "\r\n".utf8)
        var start: [UInt8] = []
        HeadSerializer.appendStatusLine(.ok, to: &start)
        dateField = date
        okStart = start + date
    }
}
