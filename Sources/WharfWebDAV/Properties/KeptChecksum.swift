/// A file's hash, which a client has sent and we have found right, and of which version it is.
///
/// It is kept beside the dead properties, under a name that no client can set or see, and it is told
/// as `oc:checksums` as long as the file is still that version.
struct KeptChecksum {
    let property: DeadProperty

    /// The hash of the version that has an ETag.
    init(_ checksum: FileChecksum, of eTag: String) {
        property = DeadProperty(
            name: Self.name, markup: Array("\(eTag) \(checksum.text)".utf8))
    }

    /// The hashes of a version, as text; `nil` if none is known.
    static func text(in dead: [DeadProperty], of eTag: @autoclosure () -> String) -> Substring? {
        guard let kept = dead.first(where: { $0.name == name }) else { return nil }
        let parts = String(decoding: kept.markup, as: UTF8.self).split(separator: " ")
        guard parts.count == 2, parts[0] == eTag() else { return nil }
        return parts[1]
    }

    /// What nobody but us may set.
    static let namespace = "urn:wharf:kept"

    private static let name = XMLName(namespace: namespace, "checksum")
}
