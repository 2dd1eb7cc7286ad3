extension Authentication {
    /// What an ``Authentication`` lets through, and how many tries it allows.
    public struct Options: Sendable {
        /// Whether GET, HEAD, OPTIONS and PROPFIND need no login.
        ///
        /// Credentials that are sent all the same have to be right.
        public var isReadingPublic = false
        /// Whether OPTIONS needs no login: Explorer and Office give up a drive that asks for one there.
        ///
        /// What it answers with tells what can be asked, and not what is there.
        public var isOptionsPublic = false
        /// Whether the question of a browser, if a page of another site may ask, needs no login:
        /// it never has one (OPTIONS with Origin and Access-Control-Request-Method).
        public var allowsPreflights = true
        /// Whether users who may only read are refused everything but the reading methods: 403.
        public var enforcesAccess = true
        /// Wrong answers from one address, IPv6 by /64, before it gets 429.
        public var failuresPerAddressMax = 10
        /// Wrong answers in one user's name before it gets 429, from whichever address.
        ///
        /// A client whose password has been found right before is not kept out by them.
        public var failuresPerUserMax = 50
        /// In which time as many failures are forgotten.
        public var failureWindow = Duration.seconds(60)

        /// Everything needs a login, but for preflights.
        public init() {}
    }
}
