// What Poller+kqueue.swift finds in Darwin and in its own module, for every file here.
#if KQUEUE_SHIM
    @_exported import CKqueueShim
    @_exported import Glibc
    @_exported import WharfNet
#endif
