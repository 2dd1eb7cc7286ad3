import WharfHTTP

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `multipart-benchmark FILE BOUNDARY PIECE-SIZE`: reads a form from memory, and prints the CPU
/// seconds that took and the bytes of data that were found.
@main
struct MultipartBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let pieceSize = Int(arguments[3]), pieceSize > 0,
            let boundary = MultipartBoundary(arguments[2]), let body = contents(arguments[1])
        else {
            print("usage: multipart-benchmark FILE BOUNDARY PIECE-SIZE")
            exit(2)
        }
        let start = clock()
        let dataByteCount = try read(body, boundary, pieceSize)
        print(Double(clock() - start) / Double(CLOCKS_PER_SEC), dataByteCount)
    }

    static func read(
        _ body: [UInt8], _ boundary: MultipartBoundary, _ pieceSize: Int
    ) throws -> Int {
        var parser = MultipartParser(boundary: boundary)
        var dataByteCount = 0
        var start = 0
        while start < body.count {
            let end = min(start + pieceSize, body.count)
            let piece = body.span.extracting(start..<end)
            var position = 0
            while let event = try parser.next(in: piece, from: &position) {
                switch event {
                case .data(let range): dataByteCount += range.count
                case .heldData(let bytes): dataByteCount += bytes.count
                case .part, .partEnd, .finished: break
                }
            }
            start = end
        }
        try parser.finish()
        return dataByteCount
    }

    static func contents(_ path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "rb") else { return nil }
        defer { unsafe fclose(file) }
        guard unsafe fseek(file, 0, SEEK_END) == 0 else { return nil }
        let count = unsafe ftell(file)
        unsafe rewind(file)
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            initializedCount = unsafe fread(buffer.baseAddress, 1, count, file)
        }
    }
}
