#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// dns_sd, found when the program runs: a machine without it can do all but announce.
///
/// On Apple systems it is a part of the system, on Linux Avahi has one of the same shape
/// (libavahi-compat-libdnssd).
@safe package struct DNSServiceLibrary: ServiceDirectory {
    fileprivate typealias Reply =
        @convention(c) (
            OpaquePointer?, UInt32, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafeMutableRawPointer?
        ) -> Void
    fileprivate typealias Register =
        @convention(c) (
            UnsafeMutablePointer<OpaquePointer?>?, UInt32, UInt32, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt16, UInt16,
            UnsafeRawPointer?, Reply?, UnsafeMutableRawPointer?
        ) -> Int32
    fileprivate typealias Descriptor = @convention(c) (OpaquePointer?) -> Int32
    fileprivate typealias Process = @convention(c) (OpaquePointer?) -> Int32
    fileprivate typealias Deallocate = @convention(c) (OpaquePointer?) -> Void

    fileprivate let register: Register
    fileprivate let descriptor: Descriptor
    fileprivate let process: Process
    fileprivate let deallocate: Deallocate

    /// Loads the library; it stays.
    ///
    /// Throws when there is none.
    package init() throws(BonjourError) {
        #if canImport(Darwin)
            // It is linked into every program.
            let library = unsafe dlopen(nil, RTLD_LAZY)
        #else
            // Avahi's prints an advertisement for its own interface otherwise.
            unsafe setenv("AVAHI_COMPAT_NOWARN", "1", 0)
            let library = unsafe dlopen("libdns_sd.so.1", RTLD_NOW | RTLD_LOCAL)
        #endif
        guard let library = unsafe library else {
            throw BonjourError(
                "there is no libdns_sd.so.1 (Debian's package libavahi-compat-libdnssd1 has it)")
        }
        guard let register = unsafe dlsym(library, "DNSServiceRegister"),
            let descriptor = unsafe dlsym(library, "DNSServiceRefSockFD"),
            let process = unsafe dlsym(library, "DNSServiceProcessResult"),
            let deallocate = unsafe dlsym(library, "DNSServiceRefDeallocate")
        else { throw BonjourError("libdns_sd lacks a function") }
        // Their C declarations are those of dns_sd.h, which has not changed since 2004.
        unsafe self.register = unsafeBitCast(register, to: Register.self)
        unsafe self.descriptor = unsafeBitCast(descriptor, to: Descriptor.self)
        unsafe self.process = unsafeBitCast(process, to: Process.self)
        unsafe self.deallocate = unsafeBitCast(deallocate, to: Deallocate.self)
    }

    package func register(
        _ service: BonjourService, port: UInt16, interface: UInt32,
        report: @escaping (Result<String, BonjourError>) -> Void
    ) throws(BonjourError) -> any ServiceRegistration {
        let registration = DNSServiceRegistration(self, report: report)
        try registration.begin(service, port: port, interface: interface)
        return registration
    }
}

/// One `DNSServiceRef`.
@safe private final class DNSServiceRegistration: ServiceRegistration {
    private let library: DNSServiceLibrary
    private let report: (Result<String, BonjourError>) -> Void
    private var reference: OpaquePointer?

    init(_ library: DNSServiceLibrary, report: @escaping (Result<String, BonjourError>) -> Void) {
        self.library = library
        self.report = report
    }

    deinit { end() }

    func begin(_ service: BonjourService, port: UInt16, interface: UInt32) throws(BonjourError) {
        let text = service.textRecord
        let name: String? = service.name.isEmpty ? nil : service.name
        // The library calls back only while `reference` lives, and so does this object.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let code = unsafe text.withUnsafeBytes { text in
            unsafe withOptionalCString(name) { name in
                unsafe library.register(
                    &reference, 0, interface, name, service.type, nil, nil, port.bigEndian,
                    UInt16(text.count), text.baseAddress, hasRegistered, context)
            }
        }
        guard code == 0, unsafe reference != nil else { throw BonjourError(code: code) }
    }

    var descriptor: Int32 { unsafe library.descriptor(reference) }

    func process() throws(BonjourError) {
        let code = unsafe library.process(reference)
        guard code == 0 else { throw BonjourError(code: code) }
    }

    func end() {
        guard let ended = unsafe reference else { return }
        unsafe reference = nil
        unsafe library.deallocate(ended)
    }

    fileprivate func tell(_ result: Result<String, BonjourError>) { report(result) }
}

private func withOptionalCString<R>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> R
) -> R {
    guard let text else { return body(nil) }
    return unsafe text.withCString { unsafe body($0) }
}

private func hasRegistered(
    _: OpaquePointer?, _: UInt32, _ code: Int32, _ name: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?
) {
    guard let context = unsafe context else { return }
    let registration = unsafe Unmanaged<DNSServiceRegistration>.fromOpaque(context)
        .takeUnretainedValue()
    guard code == 0, let name = unsafe name else {
        return registration.tell(.failure(BonjourError(code: code)))
    }
    registration.tell(.success(unsafe String(cString: name)))
}
