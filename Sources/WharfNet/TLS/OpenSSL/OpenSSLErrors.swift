#if canImport(COpenSSL)
    internal import COpenSSL

    /// OpenSSL's queue of errors, of which each thread has one.
    ///
    /// It is emptied before each call whose errors are looked at, so that none of an earlier call,
    /// of another connection, is taken for this one's.
    enum OpenSSLErrors {
        static func clear() { ERR_clear_error() }

        /// The code that was put in last, and 0 for none.
        static var lastCode: UInt { ERR_peek_last_error() }

        /// What OpenSSL says of the last error; it empties the queue.
        static func takeReason() -> String {
            let code = ERR_peek_last_error()
            ERR_clear_error()
            // The texts live as long as the process.
            guard code != 0, let text = unsafe ERR_reason_error_string(code) else { return "" }
            return unsafe String(cString: text)
        }

        /// The reason's number of an error's code; its library is told by its context.
        static func reason(of code: UInt) -> Int32 { ERR_GET_REASON(code) }

        /// An error with OpenSSL's reason.
        static func take(_ kind: TLSError.Kind, _ what: String = "") -> TLSError {
            let reason = takeReason()
            if what.isEmpty { return TLSError(kind, reason) }
            return TLSError(kind, reason.isEmpty ? what : "\(what): \(reason)")
        }
    }

    /// Bytes as OpenSSL reads them; the memory of `bytes` is not copied, and outlives the closure.
    func withMemoryBIO<R>(
        _ bytes: [UInt8], _ body: (OpaquePointer) throws(TLSError) -> R
    ) throws(TLSError) -> R {
        var result: Result<R, TLSError> = .failure(TLSError(.badIdentity, "out of memory"))
        unsafe bytes.withUnsafeBytes { raw in
            guard
                let memory = unsafe BIO_new_mem_buf(
                    raw.baseAddress, Int32(clamping: raw.count))
            else { return }
            defer { unsafe BIO_free(memory) }
            do throws(TLSError) {
                result = .success(try unsafe body(memory))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// What OpenSSL writes into memory; `nil` when it fails.
    func bytesWritten(_ body: (OpaquePointer) -> Bool) -> [UInt8]? {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(memory) }
        guard unsafe body(memory) else { return nil }
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe copenssl_memory(memory, &start)
        guard count > 0, let start = unsafe start else { return [] }
        // The memory is the BIO's, and copied before that is freed.
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
#endif
