package import WharfHTTP

/// Where a resource lies below the root of what is served: decoded names with slashes between.
///
/// A folder has no slash at its end, and the root is empty, so there is one path for each resource.
package struct ResourcePath: Sendable, Hashable {
    /// The file system's bytes, which may not be UTF-8.
    package let bytes: [UInt8]

    package static let root = ResourcePath(bytes: [])

    private static let slash = UInt8(ascii: "/")

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ path: RequestPath) {
        bytes = Array(path.segments.joined(separator: [Self.slash]))
    }

    package var isRoot: Bool { bytes.isEmpty }

    /// The folder that it lies in; `nil` for the root.
    package var parent: ResourcePath? {
        guard !isRoot else { return nil }
        let end = bytes.lastIndex(of: Self.slash) ?? bytes.startIndex
        return ResourcePath(bytes: Array(bytes[..<end]))
    }

    /// Its last name; empty for the root.
    package var name: ArraySlice<UInt8> {
        bytes.lastIndex(of: Self.slash).map { bytes[($0 + 1)...] } ?? bytes[...]
    }

    /// What has this name in the folder that this path is.
    package func appending(_ name: some Collection<UInt8>) -> ResourcePath {
        ResourcePath(bytes: isRoot ? Array(name) : bytes + [Self.slash] + name)
    }

    /// Whether it lies in the folder that the other path is, at whatever depth.
    package func isBelow(_ other: ResourcePath) -> Bool {
        if other.isRoot { return !isRoot }
        return bytes.count > other.bytes.count && bytes[other.bytes.count] == Self.slash
            && bytes.starts(with: other.bytes)
    }

    /// Whether it is the other path or lies below it.
    package func isWithin(_ other: ResourcePath) -> Bool {
        self == other || isBelow(other)
    }

    /// The folders that it lies in, the nearest first and the root last.
    package var ancestors: [ResourcePath] {
        var found: [ResourcePath] = []
        var next = parent
        while let path = next {
            found.append(path)
            next = path.parent
        }
        return found
    }

    /// The path as it is sent, with a slash at both ends if it is a folder's.
    package func href(isFolder: Bool) -> String {
        let encoded = "/" + PercentEncoding.encode(bytes, for: .path)
        return isFolder && !isRoot ? encoded + "/" : encoded
    }
}
