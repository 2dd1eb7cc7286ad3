public import WharfHTTP
public import WharfNet

extension HTTPServer {
    /// Where a server listens, and the bounds of what it accepts.
    public struct Configuration: Sendable {
        /// Where to listen.
        ///
        /// An address whose family the machine lacks is left out if another works.
        public var addresses: [SocketAddress]
        /// Ports to try in turn when one of ``addresses`` is taken, or isn't allowed: the first that
        /// all addresses can have takes the place of theirs.
        ///
        /// `Array(8081...8089) + [0]` is a range with any port in the end.
        public var otherPorts: [UInt16] = []
        /// Sockets that listen already, besides ``addresses``: see ``SocketActivation``.
        public var passedSockets: [PassedSocket] = []
        /// What others in the local network are told of the server: see ``BonjourService``.
        ///
        /// The port is that of the first address which others can reach.
        public var bonjour: [BonjourService] = []
        /// Whether the router is asked for a port that leads to the server, so that the internet can
        /// reach it: see ``Event/portMapped(_:)``.
        public var mapsPort = false
        /// How the server learns that its program is about to be suspended; `nil`: it never is.
        ///
        /// The listeners are closed before that, and opened again with the same ports.
        public var lifecycle: (any AppLifecycle)?
        /// Whether ``lifecycle`` closes the listeners; without it only background time is asked for.
        public var suspendsInBackground = true
        /// How connections to ``addresses`` are secured; `nil`: they are not.
        ///
        /// Identities can be replaced while the server runs: see
        /// ``HTTPServer/reload(_:)``.
        public var tls: TLSServerConfiguration?
        /// Where plain HTTP is spoken beside, if ``tls`` is set.
        public var plainAddresses: [SocketAddress] = []
        /// Whether a client that speaks plain HTTP to an address for TLS is sent to the https URL of
        /// what it asks for; otherwise it is told so with 400.
        public var redirectsPlainHTTP = false
        /// Connections that the kernel may hold before they are accepted.
        public var backlog: Int32 = 1024
        /// Event loops; each is a thread.
        ///
        /// At least 1.
        public var loopCount = 1
        /// Bounds of a request's head; what breaks them is answered 414 or 431.
        public var headLimits = HTTPHeadLimits()
        /// Bytes of a request's body, unless its route says otherwise; a longer one is answered 413.
        public var bodyMax: Int64 = 10 * 1024 * 1024
        /// How long a head may take from its first byte; a slower one is answered 408.
        public var headTimeout = Duration.seconds(10)
        /// How long a connection may wait for its next request.
        public var idleTimeout = Duration.seconds(60)
        /// How long a body may pause; a longer pause is answered 408.
        public var bodyTimeout = Duration.seconds(60)
        /// How long a client may take no byte of an answer before the connection is cut.
        public var writeTimeout = Duration.seconds(60)
        /// How long a connection may wait for its next request while ``HTTPServer`` is crowded: while
        /// more than four fifths of ``connectionMax`` are open.
        public var crowdedIdleTimeout = Duration.seconds(5)
        /// Bytes a second that a client has to send of a body, or take of an answer, while the
        /// server is crowded (see ``crowdedIdleTimeout``); 0: no bound.
        ///
        /// They are counted over ``rateWindow`` of the time that the client is waited for. A body
        /// that is slower is answered 408, an answer is cut.
        public var rateMin = 500
        /// Over how long ``rateMin`` is counted.
        public var rateWindow = Duration.seconds(10)
        /// How long requests may take to end after ``HTTPServer/run()`` was cancelled.
        public var drainTimeout = Duration.seconds(30)
        /// Requests that one connection may send before it is closed.
        ///
        /// At least 1.
        public var requestsPerConnectionMax = 10_000
        /// Connections at a time; more wait in the kernel's backlog.
        ///
        /// It is lowered to what the process may open, less 64.
        public var connectionMax = 10_000
        /// Connections at a time from one address, 0 for no bound; more are closed at once.
        ///
        /// Loopback and Unix sockets are exempt.
        public var connectionsPerAddressMax = 256
        /// Proxies that are believed when they say for whom they ask; `nil`: none is.
        ///
        /// ``connectionsPerAddressMax`` is not for them.
        public var trustedProxies: TrustedProxies?
        /// Threads for handlers that may block.
        ///
        /// At least 1.
        public var poolThreadMax = 64
        /// Requests that may wait for such a thread, beyond one for each; more are answered 503.
        ///
        /// A handler that has begun to run doesn't count, even while it is suspended.
        public var poolQueueMax = 1024
        /// What keeps pages of other sites out: see ``Protection``; `nil`: nothing does.
        ///
        /// It is on for servers on loopback too: a browser on this machine reaches them.
        public var protection: Protection? = Protection()
        /// How compressed bodies of requests are read; `nil`: they are refused with 415.
        ///
        /// A route's bound then counts the bytes that come out.
        public var decompression: DecompressionPolicy?
        /// What of the answers is compressed.
        public var compression = CompressionPolicy()
        /// What clients see of errors.
        public var errorPages = ErrorPages()
        /// What is asked at moments when no middleware has its turn.
        public var hooks = Hooks()
        /// How long there must be no connection before ``Event/disconnected`` tells of it.
        ///
        /// Whoever opens another within that time has not been away.
        public var disconnectedDelay = Duration.seconds(1)
        /// How often ``Event/progress(_:)`` tells how far requests under way have got; zero: never.
        public var progressInterval = Duration.zero
        /// Where exchanges are kept for a replay; `nil`: nowhere.
        public var recording: Recording?
        /// Where a line about each request goes; `nil`: to ``log``, as ``HTTPLog/Level/info``.
        public var accessLog: AccessLog?
        /// Where log lines go.
        public var log = HTTPLog.standardError(.notice)

        /// Listens on the loopback addresses, IPv4 and IPv6.
        ///
        /// Port 0 picks one.
        public init(port: UInt16) {
            addresses = [.loopback(port: port), .loopback6(port: port)]
        }

        /// Listens on the given addresses.
        public init(addresses: [SocketAddress]) {
            self.addresses = addresses
        }
    }
}
