#if canImport(Darwin) || KQUEUE_SHIM
    #if canImport(Darwin)
        import Darwin
    #endif

    /// Readiness from kqueue(2), edge-triggered: each descriptor is registered once, both ways.
    ///
    /// `Poller+epoll.swift` has the same methods for Linux; there is no protocol between them.
    @safe package struct Poller: ~Copyable {
        private let queue: Int32
        // Memory of its own, so that waiting changes no stored property: `wake` runs meanwhile.
        private let raw: UnsafeMutableBufferPointer<kevent>

        private static let wakeIdentifier: UInt = 0

        /// Throws what `kqueue` or `kevent` say.
        package init(eventCountMax: Int = 256) throws(Errno) {
            queue = kqueue()
            unsafe raw = .allocate(capacity: eventCountMax)
            unsafe raw.initialize(repeating: kevent())
            guard queue >= 0 else { throw Errno(errno) }
            try unsafe apply([
                Self.change(Self.wakeIdentifier, EVFILT_USER, EV_ADD | EV_CLEAR, token: 0)
            ])
        }

        deinit {
            unsafe raw.deallocate()
            close(queue)
        }

        /// Watches a descriptor for both directions until it is closed.
        package func add(_ descriptor: Int32, token: UInt64) throws(Errno) {
            try unsafe apply([
                Self.change(UInt(descriptor), EVFILT_READ, EV_ADD | EV_CLEAR, token: token),
                Self.change(UInt(descriptor), EVFILT_WRITE, EV_ADD | EV_CLEAR, token: token),
            ])
        }

        /// Stops watching; closing the descriptor does the same.
        package func remove(_ descriptor: Int32) {
            // An error says that there is nothing to remove, which is what is wanted.
            for filter in [EVFILT_READ, EVFILT_WRITE] {
                try? unsafe apply([Self.change(UInt(descriptor), filter, EV_DELETE, token: 0)])
            }
        }

        /// Waits for events, at most `timeout` nanoseconds (`nil`: without end), and appends them.
        package func wait(into events: inout [PollEvent], timeout: UInt64?) {
            let count: Int32
            if let timeout {
                var limit = timespec(
                    tv_sec: Int(timeout / 1_000_000_000), tv_nsec: Int(timeout % 1_000_000_000))
                count = unsafe kevent(queue, nil, 0, raw.baseAddress, Int32(raw.count), &limit)
            } else {
                count = unsafe kevent(queue, nil, 0, raw.baseAddress, Int32(raw.count), nil)
            }
            guard count > 0 else { return }
            for index in 0..<Int(count) {
                let event = unsafe raw[index]
                guard unsafe Int32(event.filter) != Int32(EVFILT_USER) else { continue }
                let isRead = unsafe Int32(event.filter) == Int32(EVFILT_READ)
                let hasEnded = unsafe Int32(event.flags) & Int32(EV_EOF) != 0
                let token = unsafe UInt64(UInt(bitPattern: event.udata))
                // On the write side EV_EOF alone is no news: this end has sent FIN. A connection that
                // is gone both ways has left its error in fflags.
                let hasError = unsafe event.fflags != 0
                events.append(
                    PollEvent(
                        token: token,
                        isReadable: isRead, isWritable: !isRead,
                        peerHasFinished: hasEnded && (isRead || hasError),
                        isBroken: hasEnded && hasError))
            }
        }

        /// Ends the current or next wait.
        ///
        /// Callable from any thread.
        package func wake() {
            var event = unsafe Self.change(Self.wakeIdentifier, EVFILT_USER, 0, token: 0)
            unsafe event.fflags = UInt32(NOTE_TRIGGER)
            // It fails only when the queue is gone, and then nobody waits.
            try? unsafe apply([event])
        }

        private func apply(_ changes: [kevent]) throws(Errno) {
            var changes = unsafe changes
            guard unsafe kevent(queue, &changes, Int32(changes.count), nil, 0, nil) == 0 else {
                throw Errno(errno)
            }
        }

        private static func change(
            _ identifier: UInt, _ filter: Int32, _ flags: Int32, token: UInt64
        ) -> kevent {
            unsafe kevent(
                ident: identifier, filter: Int16(filter), flags: UInt16(flags), fflags: 0, data: 0,
                udata: UnsafeMutableRawPointer(bitPattern: UInt(token)))
        }
    }
#endif
