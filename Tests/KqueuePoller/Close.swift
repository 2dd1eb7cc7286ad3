#if KQUEUE_SHIM
    import CKqueueShim

    /// What `Poller` calls in the place of close(2): a queue is more than its descriptor here.
    @discardableResult
    func close(_ descriptor: Int32) -> Int32 { ckqueue_close(descriptor) }
#endif
