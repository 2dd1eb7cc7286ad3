public import WharfBLIPEngine
import WharfNet

/// Who answers requests of which profile; it may change while connections use it.
public final class BLIPDispatcher: Sendable {
    /// Answers a request.
    ///
    /// A ``BLIPError`` that it throws is sent; any other error becomes ``BLIPError/handlerFailed``.
    public typealias Handler = @Sendable (BLIPRequest) async throws -> BLIPOutgoing

    private let handlers = Locked<[String: Handler]>([:])

    /// Makes one that answers nothing.
    public init() {}

    /// Has a closure answer the requests of a profile, in place of who did before.
    public func on(_ profile: String, _ handler: @escaping Handler) {
        handlers.withLock { $0[profile] = handler }
    }

    /// Has nobody answer the requests of a profile.
    public func remove(_ profile: String) {
        handlers.withLock { $0[profile] = nil }
    }

    /// The answer to a request.
    func answer(_ request: BLIPRequest) async -> BLIPOutgoing {
        let handler = handlers.withLock { handlers in
            request.profile.flatMap { handlers[$0] }
        }
        do {
            guard let handler else { throw BLIPError.notFound }
            return try await handler(request)
        } catch {
            let told = error as? BLIPError ?? .handlerFailed
            return .error(told.domain, told.code, told.message)
        }
    }
}
