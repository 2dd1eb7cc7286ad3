import Testing
import WharfBLIP
import WharfBLIPEngine
import WharfNet
import WharfServer

/// Runs a server while the closure runs with a connection to it, of any version.
func withPair<Value: Sendable>(
    _ version: BLIPVersion, _ dispatcher: BLIPDispatcher,
    server serverOptions: BLIPOptions = .init(),
    client clientOptions: BLIPOptions = .init(), answering: BLIPDispatcher = BLIPDispatcher(),
    on place: Execution = .pool,
    onConnection: (@Sendable (BLIPConnection) async throws -> Void)? = nil,
    _ body: @escaping @Sendable (BLIPConnection) async throws -> Value
) async throws -> Value {
    var options = clientOptions
    if version != .v1 { options.versions = [version] }
    let client = try BLIPClient(answering, options: options)
    guard version == .v1 else {
        var configuration = BLIPListener.Configuration(port: 0)
        configuration.server.protection = nil
        configuration.server.log = .none
        configuration.options = serverOptions
        let listener = try BLIPListener(configuration, dispatcher, on: place, onConnection)
        return try await whileRunning({ try await listener.run() }) {
            let result = await outcome {
                try await client.withConnection(to: "ws://127.0.0.1:\(listener.port)/", body)
            }
            await listener.stop(within: .zero)
            return try result.get()
        }
    }
    let listener = try BLIPTCPListener(
        [.loopback(port: 0)], dispatcher, options: serverOptions, on: place, onConnection)
    return try await whileRunning({ try await listener.run() }) {
        try await client.withConnection(to: "blip://\(listener.addresses[0])", body)
    }
}

func outcome<Value: Sendable>(
    _ operation: () async throws -> Value
) async -> Result<Value, any Error> {
    do {
        return .success(try await operation())
    } catch {
        return .failure(error)
    }
}

/// Runs a service beside a closure, and cancels it afterwards.
func whileRunning<Value: Sendable>(
    _ service: @escaping @Sendable () async throws -> Void, _ body: () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await service() }
        let result = await outcome(body)
        group.cancelAll()
        // It ends because it was cancelled.
        while (try? await group.next()) != nil {}
        return try result.get()
    }
}

/// A value that a handler leaves for its test.
final class Note<Value: Sendable>: Sendable {
    private let state: Locked<Value>

    init(_ value: Value) { state = Locked(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }
}

let everyVersion: [BLIPVersion] = [.v1, .v2, .v3]
