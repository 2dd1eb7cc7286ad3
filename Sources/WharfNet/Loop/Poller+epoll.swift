#if os(Linux)
    import CWharf
    import Glibc

    /// Readiness from epoll(7), edge-triggered: each descriptor is registered once, both ways.
    ///
    /// `Poller+kqueue.swift` has the same methods for Apple systems; there is no protocol between them.
    @safe package struct Poller: ~Copyable {
        private let queue: Int32
        private let wakeUp: Int32
        // Memory of its own, so that waiting changes no stored property: `wake` runs meanwhile.
        private let raw: UnsafeMutableBufferPointer<epoll_event>

        private static let wakeToken = UInt64.max

        /// Throws what `epoll_create1`, `eventfd` or `epoll_ctl` say.
        package init(eventCountMax: Int = 256) throws(Errno) {
            queue = epoll_create1(Int32(EPOLL_CLOEXEC))
            wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
            unsafe raw = .allocate(capacity: eventCountMax)
            unsafe raw.initialize(repeating: epoll_event())
            guard queue >= 0, wakeUp >= 0 else { throw .current }
            var event = unsafe epoll_event()
            unsafe event.events = EPOLLIN.rawValue | EPOLLET.rawValue
            unsafe event.data.u64 = Self.wakeToken
            guard unsafe epoll_ctl(queue, EPOLL_CTL_ADD, wakeUp, &event) == 0 else {
                throw .current
            }
        }

        deinit {
            unsafe raw.deallocate()
            close(wakeUp)
            close(queue)
        }

        /// Watches a descriptor for both directions until it is closed.
        package func add(_ descriptor: Int32, token: UInt64) throws(Errno) {
            var event = unsafe epoll_event()
            unsafe event.events =
                EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
            unsafe event.data.u64 = token
            guard unsafe epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
                throw .current
            }
        }

        /// Stops watching; closing the descriptor does the same.
        package func remove(_ descriptor: Int32) {
            var event = unsafe epoll_event()
            _ = unsafe epoll_ctl(queue, EPOLL_CTL_DEL, descriptor, &event)
        }

        /// Waits for events, at most `timeout` nanoseconds (`nil`: without end), and appends them.
        package func wait(into events: inout [PollEvent], timeout: UInt64?) {
            // Rounded up: a poll that ends before the deadline would spin.
            let milliseconds =
                timeout.map { Int32(clamping: ($0 &+ 999_999) / 1_000_000) } ?? -1
            let count = unsafe epoll_wait(queue, raw.baseAddress, Int32(raw.count), milliseconds)
            guard count > 0 else { return }
            for index in 0..<Int(count) {
                let flags = unsafe raw[index].events
                let token = unsafe raw[index].data.u64
                // Edge-triggered: each write is told once, so the counter need not be read.
                if token == Self.wakeToken { continue }
                events.append(
                    PollEvent(
                        token: token,
                        isReadable: flags & EPOLLIN.rawValue != 0,
                        isWritable: flags & EPOLLOUT.rawValue != 0,
                        peerHasFinished: flags & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue) != 0,
                        isBroken: flags & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0))
            }
        }

        /// Ends the current or next wait.
        ///
        /// Callable from any thread.
        package func wake() {
            var one: UInt64 = 1
            _ = unsafe write(wakeUp, &one, 8)
        }
    }
#endif
