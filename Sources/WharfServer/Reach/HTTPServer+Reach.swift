public import WharfNet

extension HTTPServer {
    /// The services that Bonjour announces now, with the names that they got.
    public var announcedServices: [BonjourService] { reach.announced }

    /// The router's port that leads to this server; `nil`: there is none.
    public var portMapping: PortMapping? { reach.mapping }
}
