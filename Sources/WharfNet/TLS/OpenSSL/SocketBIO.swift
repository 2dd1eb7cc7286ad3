#if canImport(COpenSSL)
    internal import COpenSSL

    /// What OpenSSL reads from and writes to: a socket and a buffer, both of a ``TLSPump``.
    enum SocketBIO {
        /// The functions, made once; `nil` when there was no memory for them.
        //
        // Safe: nothing changes it once it is made.
        private nonisolated(unsafe) static let method: OpaquePointer? = {
            let kind = BIO_get_new_index() | Int32(BIO_TYPE_SOURCE_SINK)
            guard kind > 0, let method = unsafe BIO_meth_new(kind, "wharf socket") else {
                return nil
            }
            unsafe BIO_meth_set_read(method, read)
            unsafe BIO_meth_set_write(method, write)
            unsafe BIO_meth_set_ctrl(method, control)
            return unsafe method
        }()

        /// A BIO over a pump, which outlives it.
        static func make(_ pump: TLSPump) -> OpaquePointer? {
            guard let method = unsafe method, let bio = unsafe BIO_new(method) else {
                return nil
            }
            unsafe BIO_set_data(bio, Unmanaged.passUnretained(pump).toOpaque())
            unsafe BIO_set_init(bio, 1)
            return unsafe bio
        }

        private static func pump(of bio: OpaquePointer?) -> TLSPump? {
            guard let data = unsafe BIO_get_data(bio) else { return nil }
            return unsafe Unmanaged<TLSPump>.fromOpaque(data).takeUnretainedValue()
        }

        private static let read:
            @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int32) -> Int32 = {
                bio, bytes, count in
                unsafe copenssl_clear_retry(bio)
                guard let pump = unsafe SocketBIO.pump(of: bio), let bytes = unsafe bytes, count > 0
                else { return -1 }
                let window = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
                switch unsafe pump.receive(into: window) {
                case .bytes(let received): return Int32(received)
                case .ended: return 0
                case .failed: return -1
                case .wouldBlock:
                    unsafe copenssl_retry_read(bio)
                    return -1
                }
            }

        private static let write:
            @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
                bio, bytes, count in
                unsafe copenssl_clear_retry(bio)
                guard let pump = unsafe SocketBIO.pump(of: bio), let bytes = unsafe bytes, count > 0
                else { return -1 }
                let isTaken = unsafe pump.take(
                    UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                return isTaken ? count : -1
            }

        private static let control:
            @convention(c) (OpaquePointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int = {
                _, command, _, _ in
                // Flushing is the pump's own affair.
                command == BIO_CTRL_FLUSH ? 1 : 0
            }
    }
#endif
