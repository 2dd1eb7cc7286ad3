/// Why an exchange can't go on, though the server has answered.
package enum ClientExchangeError: Error, Sendable, Hashable {
    /// More redirects than are followed.
    case tooManyRedirects
    /// A redirect from `https` to `http`, which is not followed.
    case downgrade(HTTPURL)
    /// A redirect to what is no `http` or `https` URL.
    case badLocation
    /// The body would have to be sent again, and can't be.
    case bodyIsSpent
}
