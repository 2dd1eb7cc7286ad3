/// What a client remembers from one exchange to the next: cookies, and how to log in.
package struct ClientMemory: Sendable {
    /// The cookies; left alone when cookies are off.
    package var jar = CookieJar()
    /// Places that a login is remembered of; of more the memory is cleared.
    private static let placeMax = 256

    private var authenticators: [HTTPURL.Origin: ClientAuthenticator] = [:]
    /// Origins that have let a client wait in vain for 100 (Continue).
    private var impatient: Set<HTTPURL.Origin> = []

    package init() {}

    /// The authenticator of a place, made for these credentials if there is none.
    mutating func authenticator(
        _ origin: HTTPURL.Origin, _ credentials: ClientCredentials
    ) -> ClientAuthenticator {
        if let known = authenticators[origin], known.credentials == credentials { return known }
        return ClientAuthenticator(credentials)
    }

    mutating func keep(_ authenticator: ClientAuthenticator, for origin: HTTPURL.Origin) {
        if authenticators.count >= Self.placeMax, authenticators[origin] == nil {
            authenticators.removeAll()
        }
        authenticators[origin] = authenticator
    }

    /// An origin did not say 100 (Continue) in time: it is not waited for again.
    package mutating func noteNoContinue(_ origin: HTTPURL.Origin) {
        if impatient.count >= Self.placeMax { impatient.removeAll() }
        impatient.insert(origin)
    }

    func answersExpectations(_ origin: HTTPURL.Origin) -> Bool { !impatient.contains(origin) }
}
