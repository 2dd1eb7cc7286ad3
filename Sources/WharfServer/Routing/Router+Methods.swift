import WharfHTTP

extension Router {
    /// Answers GET and HEAD at a path.
    @discardableResult
    public func get(
        _ path: String, on execution: Execution = .pool, bodyMax: Int64? = nil,
        _ respond: @escaping @Sendable (Request) async throws -> Response
    ) -> RouteID {
        on(.get, path, on: execution, bodyMax: bodyMax, respond)
    }

    /// Answers GET and HEAD at a path, in place.
    @discardableResult
    public func get(_ path: String, _ handler: InlineHandler) -> RouteID {
        on(.get, path, handler)
    }

    /// Answers POST at a path.
    @discardableResult
    public func post(
        _ path: String, on execution: Execution = .pool, bodyMax: Int64? = nil,
        _ respond: @escaping @Sendable (Request) async throws -> Response
    ) -> RouteID {
        on(.post, path, on: execution, bodyMax: bodyMax, respond)
    }

    /// Answers PUT at a path.
    @discardableResult
    public func put(
        _ path: String, on execution: Execution = .pool, bodyMax: Int64? = nil,
        _ respond: @escaping @Sendable (Request) async throws -> Response
    ) -> RouteID {
        on(.put, path, on: execution, bodyMax: bodyMax, respond)
    }

    /// Answers PATCH at a path.
    @discardableResult
    public func patch(
        _ path: String, on execution: Execution = .pool, bodyMax: Int64? = nil,
        _ respond: @escaping @Sendable (Request) async throws -> Response
    ) -> RouteID {
        on(.patch, path, on: execution, bodyMax: bodyMax, respond)
    }

    /// Answers DELETE at a path.
    @discardableResult
    public func delete(
        _ path: String, on execution: Execution = .pool, bodyMax: Int64? = nil,
        _ respond: @escaping @Sendable (Request) async throws -> Response
    ) -> RouteID {
        on(.delete, path, on: execution, bodyMax: bodyMax, respond)
    }
}
