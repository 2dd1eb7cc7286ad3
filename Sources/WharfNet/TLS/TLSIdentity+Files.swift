extension TLSIdentity {
    /// Reads an identity from files in PEM; see ``init(certificates:key:password:)``.
    ///
    /// `keyFile` may be left out when the key is in the file of the certificates. Throws
    /// ``WharfNet/Errno`` when a file can't be read, or is longer than a MiB, ``TLSError`` when it is
    /// none of that kind. It waits for the disk.
    public init(certificateFile: String, keyFile: String? = nil, password: String? = nil) throws {
        let certificates = try readPEM(certificateFile)
        var key = certificates
        if let keyFile { key = try readPEM(keyFile) }
        try self.init(certificates: certificates, key: key, password: password)
    }

    /// Reads an identity from a PKCS#12 file; see ``init(pkcs12:password:)``.
    ///
    /// Throws ``WharfNet/Errno`` when the file can't be read, ``TLSError`` when it is none of that
    /// kind. It waits for the disk.
    public init(pkcs12File: String, password: String) throws {
        try self.init(pkcs12: readPEM(pkcs12File), password: password)
    }
}

extension TLSCertificate {
    /// Reads all certificates of a file in PEM; see ``inPEM(_:)``.
    ///
    /// Throws ``WharfNet/Errno`` when the file can't be read, ``TLSError`` when there are none in it.
    /// It waits for the disk.
    public static func inFile(_ path: String) throws -> [TLSCertificate] {
        try inPEM(readPEM(path))
    }
}

private func readPEM(_ path: String) throws(Errno) -> [UInt8] {
    guard let bytes = try WholeFile.read(path, byteCountMax: 1024 * 1024) else {
        throw .fileTooLarge
    }
    return bytes
}
