import CWharf

/// A thread of the system's, which runs one closure and ends.
package enum Thread {
    fileprivate final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a detached thread.
    ///
    /// Throws what `pthread_create` says, `EAGAIN` mostly.
    ///
    /// SIGTERM, SIGINT and SIGHUP are blocked in it. Its name is cut to 15 bytes; its stack
    /// has 512 KiB, as handlers may be anybody's code.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        let code = unsafe cwharf_start_thread(runThread, start.toOpaque(), 512 * 1024)
        guard code == 0 else {
            unsafe start.release()
            throw Errno(code)
        }
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) {
    guard let argument = unsafe argument else { return }
    let start = unsafe Unmanaged<Thread.Start>.fromOpaque(argument).takeRetainedValue()
    unsafe cwharf_name_thread(String(start.name.prefix(15)))
    start.body()
}
