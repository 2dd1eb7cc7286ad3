import WharfBLIPEngine
import WharfNet

/// Who answers requests of which profile; it may change while connections use it.
///
///     let dispatcher = BLIPDispatcher()
///     dispatcher.on("echo") { request in BLIPMessage(request.properties, body: request.body) }
public final class BLIPDispatcher: Sendable {
    /// Answers a request that has come whole.
    ///
    /// A ``BLIPError`` that it throws is sent; an error in decoding becomes
    /// ``BLIPError/badRequest``, and any other ``BLIPError/handlerFailed``.
    public typealias Handler = @Sendable (BLIPRequest) async throws -> BLIPMessage
    /// Answers a request whose body it reads as it comes.
    public typealias StreamHandler = @Sendable (BLIPRequest, BLIPBody) async throws -> BLIPMessage

    private struct Handlers {
        var ofProfiles: [String: BLIPHandler] = [:]
        var ofOthers = BLIPHandler.nobody
    }

    private let handlers = Locked(Handlers())

    /// Makes one that answers every request with ``BLIPError/notFound``.
    public init() {}

    /// Has a closure answer the requests of a profile, in place of who did before.
    public func on(_ profile: String, _ handler: @escaping Handler) {
        handlers.withLock { $0.ofProfiles[profile] = .whole(handler) }
    }

    /// The same for some profiles.
    public func on(_ profiles: [String], _ handler: @escaping Handler) {
        for profile in profiles { on(profile, handler) }
    }

    /// Has a closure answer the requests of a profile, which is called when their properties are there.
    ///
    /// No more of the body is sent than the closure reads, and what it does not read is dropped. The
    /// reply goes out when the request has come whole, or when too much of it would be held.
    public func onStream(_ profile: String, _ handler: @escaping StreamHandler) {
        handlers.withLock { $0.ofProfiles[profile] = .streamed(handler) }
    }

    /// Has nobody but the default handler answer the requests of a profile.
    public func remove(_ profile: String) {
        handlers.withLock { $0.ofProfiles[profile] = nil }
    }

    /// Has a closure answer the requests that no other does; `nil`: ``BLIPError/notFound`` does.
    public func onOthers(_ handler: Handler?) {
        handlers.withLock { $0.ofOthers = handler.map { .whole($0) } ?? .nobody }
    }

    func handler(for head: BLIPMessageHead) -> BLIPHandler {
        handlers.withLock { handlers in
            head.properties.profile.flatMap { handlers.ofProfiles[$0] } ?? handlers.ofOthers
        }
    }
}

/// Who answers a request.
enum BLIPHandler: Sendable {
    case nobody
    case whole(BLIPDispatcher.Handler)
    case streamed(BLIPDispatcher.StreamHandler)
    /// The connection itself.
    case bye

    var isStreamed: Bool { if case .streamed = self { true } else { false } }

    /// What is done with what comes for it.
    var use: BLIPInbox.Use {
        switch self {
        case .nobody, .bye: .dropped
        case .whole: .whole
        case .streamed: .streamed
        }
    }

    /// Who answers a request that is about the connection.
    static func closing(_ profile: String?) -> BLIPHandler {
        profile == BLIPClosing.profile ? .bye : .nobody
    }
}
