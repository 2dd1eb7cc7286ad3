public import WharfHTTP
public import WharfNet

extension HTTPClient {
    /// How a client connects, how long it waits, and what it does by itself.
    public struct Configuration: Sendable {
        /// A proxy that all connections go through, by CONNECT (RFC 9110 §9.3.6).
        public struct Proxy: Sendable, Hashable {
            /// Its name or numeric address.
            public var host: String
            /// Its port.
            public var port: UInt16
            /// What it may be told when it asks (407), or before.
            public var credentials: ClientCredentials?

            /// A proxy.
            public init(host: String, port: UInt16, credentials: ClientCredentials? = nil) {
                self.host = host
                self.port = port
                self.credentials = credentials
            }
        }

        /// How long finding the address, connecting and the handshakes may take together.
        public var connectTimeout = Duration.seconds(15)
        /// How long neither side may move a byte while something is to be sent or awaited.
        public var idleTimeout = Duration.seconds(60)
        /// How long an exchange may take with all its redirects; `nil`: as long as it moves.
        public var totalTimeout: Duration?
        /// How long a body waits for 100 (Continue) before it is sent all the same.
        public var continueTimeout = Duration.seconds(1)
        /// Bodies of so many bytes, and those of unknown length, wait for 100 (Continue): what
        /// would be refused, or sent elsewhere, need not be sent first.
        ///
        /// `nil`: none waits.
        public var continueMin: Int64? = 1 << 20

        /// Connections to one origin at a time; those that want more wait.
        public var connectionsPerOriginMax = 6
        /// Connections that are kept for later exchanges, to all origins.
        public var keptConnectionMax = 16
        /// How long a connection is kept without use.
        public var keptTimeout = Duration.seconds(30)

        /// Bounds of the heads of answers.
        public var headLimits = HTTPHeadLimits()
        /// Interim answers (1xx) before the final one; with more the exchange fails.
        public var interimMax = 64

        /// Redirects that are followed; 0: a redirect is the answer.
        public var redirectMax = 10
        /// Whether a redirect may lead from `https` to `http`.
        public var allowsDowngrade = false
        /// For the origin that is asked, and not for those that it redirects to.
        public var credentials: ClientCredentials?
        /// Whether cookies are kept, in memory, and sent back.
        public var usesCookies = true
        /// The proxy; `nil`: none.
        public var proxy: Proxy?
        /// Whom to trust with `https`; as the system does, unless told otherwise.
        public var tls = TLSClientConfiguration()
        /// The User-Agent of requests that have none; `nil`: no such field.
        public var userAgent: String? = "Wharf"

        /// The defaults.
        public init() {}

        var rules: ClientExchange.Rules {
            var rules = ClientExchange.Rules()
            rules.redirectMax = redirectMax
            rules.allowsDowngrade = allowsDowngrade
            rules.credentials = credentials
            rules.usesCookies = usesCookies
            rules.continueMin = continueMin
            return rules
        }
    }
}
