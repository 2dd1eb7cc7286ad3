/// Which part of a file a request writes.
package enum UpdateRange: Sendable, Hashable {
    /// From an offset on; `end` is the offset behind the last byte, if it is said.
    case from(Int64, end: Int64?)
    /// From so many bytes before the end on.
    case last(Int64)
    /// Behind the end.
    case append

    /// Reads Content-Range of a PUT (RFC 9110 §14.4): `bytes 2-3/6`, or with `*` for the length.
    package init?(contentRange value: String) {
        guard let rest = Self.rest(of: value, behind: "bytes ") else { return nil }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let (first, last) = Self.bounds(parts[0]), let last else {
            return nil
        }
        if parts[1] != "*" {
            guard let total = Self.number(parts[1]), last < total else { return nil }
        }
        self = .from(first, end: last + 1)
    }

    /// Reads X-Update-Range of sabre/dav's PATCH: `append`, `bytes=2-3`, `bytes=2-`, `bytes=-2`.
    package init?(updateRange value: String) {
        if value.lowercased() == "append" {
            self = .append
            return
        }
        guard let rest = Self.rest(of: value, behind: "bytes=") else { return nil }
        if rest.hasPrefix("-") {
            guard let count = Self.number(rest.dropFirst()) else { return nil }
            self = .last(count)
        } else {
            guard let (first, last) = Self.bounds(rest) else { return nil }
            self = .from(first, end: last.map { $0 + 1 })
        }
    }

    /// Where it begins in a file of a size; `nil` if that is before the file's start.
    package func start(in size: Int64) -> Int64? {
        switch self {
        case .from(let start, _): start
        case .last(let count): count <= size ? size - count : nil
        case .append: size
        }
    }

    /// How many bytes it has, if it is said.
    package var count: Int64? {
        guard case .from(let start, let end?) = self else { return nil }
        return end - start
    }

    private static func rest(of value: String, behind prefix: String) -> Substring? {
        guard value.lowercased().hasPrefix(prefix) else { return nil }
        return value.dropFirst(prefix.count)
    }

    private static func bounds(_ text: Substring) -> (Int64, Int64?)? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = number(parts[0]) else { return nil }
        if parts[1].isEmpty { return (first, nil) }
        guard let last = number(parts[1]), last >= first else { return nil }
        return (first, last)
    }

    /// Up to eighteen digits, so that there is room for sums.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.count <= 18,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }
}
