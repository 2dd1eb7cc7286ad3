#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// The C functions whose names ``System``'s own methods hide.

@inline(__always)
func libcSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32)
    -> Int
{
    unsafe send(descriptor, bytes, count, flags)
}

@inline(__always)
func libcClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

@inline(__always)
func libcListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

@inline(__always)
func libcConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ count: socklen_t)
    -> Int32
{
    unsafe connect(descriptor, address, count)
}

@inline(__always)
func libcWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
