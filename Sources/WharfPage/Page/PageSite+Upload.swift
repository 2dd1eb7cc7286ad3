import WharfHTTP
import WharfNet
import WharfServer

extension PageSite {
    /// Gives a file of a form a free name in a folder of the share.
    ///
    /// Of the name that the client sent the last part counts; one that is dangerous is refused (400).
    func take(_ file: UploadedFile, into folder: PagePath, _ request: Request) async throws {
        let name: String
        do {
            name = try FileName.sanitized(
                file.fileName, byteCountMax: FileName.byteCountMax - " (9999)".utf8.count,
                isReserved: { PartName.isReserved(Array($0.utf8)) })
        } catch {
            throw HTTPError(.badRequest, reason: "the name of a file: \(error)")
        }
        let path = folder.appending(Array(name.utf8))
        guard !files.hides(path.bytes) else {
            throw HTTPError(.forbidden, reason: "a hidden name")
        }
        _ = try await share.take(file, to: path.bytes, ifTaken: .number, for: request)
    }
}
