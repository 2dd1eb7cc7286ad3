import WharfHTTP
import WharfServer

/// A path below a share, as a client names it: decoded, and without tricks.
struct PagePath: Sendable, Hashable {
    /// The file system's bytes, which may not be UTF-8.
    private(set) var names: [[UInt8]]
    /// Whether it was sent with a slash at its end.
    let isFolder: Bool

    /// Takes a percent-encoded path, such as `/a%20b/c.txt`; throws 400 for another one.
    init(encoded: some StringProtocol) throws {
        guard let path = RequestPath(encoded), path.isCanonical, path.query == nil else {
            throw HTTPError(.badRequest, reason: "a path that can't be understood")
        }
        names = path.segments
        isFolder = path.hasTrailingSlash
    }

    /// Takes a path as people read it, such as `/a b/c.txt`; throws 400 for another one.
    init(text: String) throws {
        let parts = text.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
        let dots = [Array(".".utf8), Array("..".utf8)]
        guard parts.count <= RequestPath.segmentCountMax,
            parts.allSatisfy({
                !dots.contains($0) && !$0.contains(0) && !$0.contains(UInt8(ascii: "\\"))
            })
        else { throw HTTPError(.badRequest, reason: "a path that can't be understood") }
        names = parts
        isFolder = text.isEmpty || text.utf8.last == UInt8(ascii: "/")
    }

    /// With slashes between the names, and none at either end.
    var bytes: [UInt8] { Array(names.joined(separator: [UInt8(ascii: "/")])) }

    /// With replacement characters for what is no UTF-8.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Percent-encoded, with a slash in front; at the end only that of the root.
    var encoded: String {
        names.isEmpty ? "/" : "/" + PercentEncoding.encode(bytes, for: .path)
    }

    /// The last name; none for the root.
    var name: [UInt8]? { names.last }

    /// What lies in it under a name.
    func appending(_ name: [UInt8]) -> PagePath {
        var copy = self
        copy.names.append(name)
        return copy
    }

    /// The same with another last name.
    func renamed(_ name: [UInt8]) -> PagePath {
        var copy = self
        copy.names.removeLast(names.isEmpty ? 0 : 1)
        copy.names.append(name)
        return copy
    }

    /// The same with a last name that files may get, for what is to be made.
    ///
    /// The name is brought into one form of Unicode. Throws 400 for one that is dangerous or no
    /// text, and 403 for the root. A `former` name that stays is not judged.
    func checkingNewName(former: [UInt8]? = nil) throws -> PagePath {
        guard let name else { throw HTTPError(.forbidden, reason: "the folder that is shared") }
        if name == former { return self }
        guard let text = String(validating: name, as: UTF8.self) else {
            throw HTTPError(.badRequest, reason: "a name that is no text")
        }
        do {
            return renamed(Array(try FileName.sanitized(text).utf8))
        } catch {
            throw HTTPError(.badRequest, reason: "a name: \(error)")
        }
    }
}
