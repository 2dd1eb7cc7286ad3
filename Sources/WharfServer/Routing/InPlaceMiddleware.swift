import WharfHTTP

/// A middleware that can mostly decide in place, without a suspension.
///
/// A request whose middlewares and handler all can is answered while the connection's task waits,
/// which costs half of what waking it would.
protocol InPlaceMiddleware: HTTPMiddleware {
    /// Answers as ``respond(to:next:)`` would; `nil` when something has to be waited for.
    ///
    /// Then that is asked instead, from the first middleware on: what is done here may be done twice.
    /// `next` answers `nil` in the same sense.
    func respondAtOnce(to request: Request, next: (Request) throws -> Response?) throws
        -> Response?
}

extension [any HTTPMiddleware] {
    /// The same ones, if all of them can decide in place.
    var inPlace: [any InPlaceMiddleware]? {
        let all = compactMap { $0 as? any InPlaceMiddleware }
        return all.count == count ? all : nil
    }
}

extension Route {
    /// What it answers in place; `nil`: it has to be waited for.
    @inline(__always)
    func respondAtOnce(to request: Request, _ body: RequestBody?) throws -> Response? {
        guard let inPlaceMiddleware else { return nil }
        guard !inPlaceMiddleware.isEmpty else { return try handleAtOnce(request, body) }
        return try pass(request, body, inPlaceMiddleware[...])
    }

    private func pass(
        _ request: Request, _ body: RequestBody?, _ middleware: ArraySlice<any InPlaceMiddleware>
    ) throws -> Response? {
        guard let first = middleware.first else { return try handleAtOnce(request, body) }
        return try first.respondAtOnce(to: request) {
            try pass($0, body, middleware.dropFirst())
        }
    }

    @inline(__always)
    private func handleAtOnce(_ request: Request, _ body: RequestBody?) throws -> Response? {
        if case .inline(let respond) = action {
            if let refusal = body?.refusal { throw refusal }
            return try respond(request)
        }
        guard body == nil else { return nil }
        return try atOnce?(request)
    }
}
