/// A way to talk to the router; used on one thread, which it blocks.
protocol PortMappingRouter {
    var method: PortMapping.Method { get }

    /// Asks for a port that leads to one of ours, or for more time for one that there is.
    ///
    /// `externalPort` is a wish.
    func map(_ internalPort: UInt16, to externalPort: UInt16, seconds: UInt32)
        throws(PortMappingError) -> PortMapping

    /// Ends a mapping; a failure is not told, as the router will end it by itself.
    func unmap(_ mapping: PortMapping)
}
