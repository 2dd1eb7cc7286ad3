/// Where services are registered: dns_sd, or what tests have in its place.
///
/// Both may block, so that they are used on a thread of their own, and by one at a time.
package protocol ServiceDirectory: Sendable {
    /// Asks for a registration; `report` tells on the same thread how it went, during
    /// ``ServiceRegistration/process()``: the name that it got in the end, or the error.
    ///
    /// `interface` is the system's number, 0 for all.
    func register(
        _ service: BonjourService, port: UInt16, interface: UInt32,
        report: @escaping (Result<String, BonjourError>) -> Void
    ) throws(BonjourError) -> any ServiceRegistration
}

/// A registration that lasts until ``end()``.
package protocol ServiceRegistration: AnyObject {
    /// When it can be read, ``process()`` has something to do.
    var descriptor: Int32 { get }

    /// Deals with what has come; throws when the registration is lost.
    func process() throws(BonjourError)

    /// Takes the registration back.
    func end()
}
