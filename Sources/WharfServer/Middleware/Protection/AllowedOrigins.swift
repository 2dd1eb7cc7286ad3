import WharfHTTP

/// The sites whose pages may use a server for more than reading.
final class AllowedOrigins: Sendable {
    private let origins: Set<Origin>

    /// The server's own, and others.
    init(_ others: [String]) {
        origins = Set(others.compactMap { Origin($0) })
    }

    /// Why a request must not be answered; `nil` if it may.
    func refusal(of request: Request) -> String? {
        guard !request.isReading || request.received.hasUpgrade else { return nil }
        let values = request.fields[values: .origin]
        switch (values.count, request.fields[.secFetchSite]) {
        // No browser: nobody's rights are borrowed.
        case (0, nil): return nil
        case (0, let site?):
            return Self.isOwn(site) ? nil : "a page of another site asks (\(site))"
        case (1, let site):
            // RFC 6454 §7.3: `null` is a page that hides where it is from.
            guard let origin = Origin(values[0]) else { return "the origin is \(values[0])" }
            if origins.contains(origin) { return nil }
            guard let authority = request.authority.flatMap({ HostAndPort($0) }),
                origin.isServed(under: authority), site.map(Self.isOwn) ?? true
            else {
                return "a page of \(values[0]) asks (Protection, --cors)"
            }
            return nil
        default: return "more than one Origin"
        }
    }

    /// Fetch Metadata §2.3: the page is of the same origin, or somebody has typed the URL.
    private static func isOwn(_ site: String) -> Bool {
        site == "same-origin" || site == "none"
    }
}
