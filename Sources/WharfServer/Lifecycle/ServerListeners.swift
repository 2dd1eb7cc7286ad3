import Synchronization
import WharfNet

/// What a server listens with: sockets that may go and come back, at addresses that stay.
final class ServerListeners: Sendable {
    let acceptors: [Acceptor]
    private let backlog: Int32
    private let isOpen = Atomic<Bool>(true)
    private let hasStopped = Atomic<Bool>(false)

    /// To be made with listeners that are open.
    init(acceptors: [Acceptor], backlog: Int32) {
        self.acceptors = acceptors
        self.backlog = backlog
    }

    /// Whether clients can connect; callable from anywhere, as is what else only reads.
    var isListening: Bool { isOpen.load(ordering: .relaxed) }

    /// Closes all, with their ports; to be called on the first loop, as is all that follows.
    ///
    /// False when they were closed already.
    func suspend() -> Bool {
        guard isOpen.exchange(false, ordering: .relaxed) else { return false }
        for acceptor in acceptors { acceptor.suspend() }
        return true
    }

    /// Listens again, where it listened before and with the same ports; false when it does.
    ///
    /// An address that the machine has lost is left out if another works. Throws what binding
    /// throws, and then all stay closed; `ECANCELED` when the server is ending.
    func resume() throws(Errno) -> Bool {
        guard !hasStopped.load(ordering: .relaxed) else { throw .cancelled }
        guard !isListening else { return false }
        var opened: [(Acceptor, Listener)] = []
        var missing: Errno?
        for acceptor in acceptors {
            do throws(Errno) {
                opened.append((acceptor, try acceptor.reopen(backlog: backlog)))
            } catch {
                if error == .addressFamilyMissing || error == .addressNotAvailable {
                    missing = error
                    continue
                }
                for (acceptor, listener) in opened { acceptor.takeBack(listener) }
                throw error
            }
        }
        if opened.isEmpty, let missing { throw missing }
        for (acceptor, listener) in opened { acceptor.resume(with: listener) }
        isOpen.store(true, ordering: .relaxed)
        return true
    }

    /// Closes all for good.
    func stop() {
        hasStopped.store(true, ordering: .relaxed)
        isOpen.store(false, ordering: .relaxed)
        for acceptor in acceptors { acceptor.stop() }
    }
}

extension Listener {
    /// What a server listens with at first; so many of them, the first ones, are for TLS if it has
    /// that.
    static func open(
        _ configuration: HTTPServer.Configuration, _ system: System
    ) throws(Errno) -> (listeners: [Listener], secureCount: Int) {
        var listeners = configuration.passedSockets.map { Listener($0) }
        var secureCount = 0
        do throws(Errno) {
            if !configuration.addresses.isEmpty || listeners.isEmpty {
                listeners += try open(
                    configuration.addresses, otherPorts: configuration.otherPorts,
                    backlog: configuration.backlog, system: system)
            }
            secureCount = listeners.count
            if configuration.tls != nil, !configuration.plainAddresses.isEmpty {
                listeners += try open(
                    configuration.plainAddresses, backlog: configuration.backlog, system: system)
            }
        } catch {
            for listener in listeners { listener.close(system) }
            throw error
        }
        return (listeners, secureCount)
    }
}
