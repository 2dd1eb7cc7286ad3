import WharfHTTP
import WharfServer

private let numberMax = 9999

/// Tries a path, and then those with numbers in their names, until one isn't taken.
///
/// `taken` is the status of the error that says so. Throws any other error, and 409 if there are
/// too many.
func withFreeName(
    _ path: PagePath, taken: HTTPResponse.Status, _ attempt: (PagePath) async throws -> Void
) async throws {
    guard let name = path.name.map({ String(decoding: $0, as: UTF8.self) }) else {
        throw HTTPError(.forbidden, reason: "the folder that is shared")
    }
    for number in 0...numberMax {
        do {
            return try await attempt(path.renamed(Array(FileName.numbered(name, number).utf8)))
        } catch let error as HTTPError where error.status == taken {
            continue
        }
    }
    throw HTTPError(.conflict, reason: "all names are taken")
}
