public import Foundation
import WharfHTTP
import WharfHTTPClient
public import WharfUploadClient

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// For apps that send with a URLSession of their own.
///
/// URLSession is to be told as little as can be, as on Linux it gets much of the rest wrong: a
/// redirect that keeps the body (307, 308) is followed with an empty one, so refuse it in
/// `willPerformHTTPRedirection` and send anew; a 401 without a delegate's answer never ends, so
/// cancel challenges that have none; a stream that has nothing for a moment is taken for ended, so
/// this one reads at once; a Content-Length that is set by hand is sent beside its own framing, so set
/// none; `timeoutIntervalForResource` is ignored, so keep a timer; never suspend a task. In the
/// background Apple's sessions take files only: ``writeFile(to:)``.
extension Multipart {
    /// A request with the method and the Content-Type of the form; its body goes beside it, by
    /// `uploadTask(with:fromFile:)` or ``makeStream()``.
    public func urlRequest(_ url: URL, method: String = "POST") -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        return request
    }

    /// Writes the body to a file, for `uploadTask(with:fromFile:)`; over a file that is there.
    ///
    /// It costs as much room on the disk as the files have. Throws what writing throws, and
    /// ``HTTPClientError`` when a file changes meanwhile; then nothing is left.
    public func writeFile(to url: URL) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forWritingTo: url)
        do {
            for segment in segments {
                switch segment {
                case .bytes(let bytes): try handle.write(contentsOf: Data(bytes))
                case .file(let source):
                    try source.forEachPiece { try handle.write(contentsOf: Data($0)) }
                    try source.checkUnchanged()
                }
            }
            try handle.close()
        } catch {
            // What went wrong is told; that nothing could be removed would hide it.
            try? handle.close()
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }
}
