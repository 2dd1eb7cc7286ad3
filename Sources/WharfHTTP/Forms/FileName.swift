/// Makes names of files out of names that a peer has sent.
///
/// What is dangerous is refused with a reason, never repaired. Only three things change a name: the
/// folders before it are cut off, it is brought into one form of Unicode, and cut if too long. So
/// tell the peer the name that it got.
public enum FileName {
    /// What file systems take: bytes of UTF-8.
    public static let byteCountMax = 255

    /// The last part of a name that may be a path, as a name for a file.
    ///
    /// Both slashes separate parts, since old browsers on Windows send whole paths. The name is in
    /// normalization form C and has at most `byteCountMax` bytes of UTF-8; a longer one is cut
    /// between two characters, and keeps its extension.
    ///
    /// - Parameter isReserved: says of a name, in the form it would get, whether the caller keeps
    ///   it for itself, as that of an upload which is not complete.
    public static func sanitized(
        _ name: String, byteCountMax: Int = byteCountMax,
        isReserved: (String) -> Bool = { _ in false }
    ) throws(FileNameError) -> String {
        let last = parts(name).last ?? ""
        return try checked(last, byteCountMax, isReserved)
    }

    /// The parts of a relative path, each as ``sanitized(_:byteCountMax:isReserved:)`` has it.
    ///
    /// A folder is sent by browsers as files with names like `photos/2026/a.jpg`. Nothing is
    /// skipped: a path with an empty part or with dots is refused, as is one from a root or a drive.
    public static func sanitizedPath(
        _ path: String, partCountMax: Int = 64, byteCountMax: Int = byteCountMax,
        isReserved: (String) -> Bool = { _ in false }
    ) throws(FileNameError) -> [String] {
        let parts = parts(path)
        if parts.count > 1, parts[0].isEmpty || isDrive(parts[0]) { throw .absolute }
        guard parts.count <= partCountMax else { throw .tooDeep }
        var result: [String] = []
        for part in parts { result.append(try checked(part, byteCountMax, isReserved)) }
        return result
    }

    /// The name for a file of which another is kept: the number goes before the extension.
    ///
    /// `a.txt` with 2 is `a (2).txt`; with 0 it is itself.
    package static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 0 else { return name }
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
            return "\(name) (\(number))"
        }
        return "\(name[..<dot]) (\(number))\(name[dot...])"
    }

    private static func parts(_ path: String) -> [Substring] {
        // By scalars: a slash before a combining mark is a slash all the same.
        path.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
            .map { Substring($0) }
    }

    private static func isDrive(_ part: Substring) -> Bool {
        part.utf8.count == 2 && part.utf8.last == ASCII.colon
    }

    private static func checked(
        _ part: Substring, _ byteCountMax: Int, _ isReserved: (String) -> Bool
    ) throws(FileNameError) -> String {
        guard !part.isEmpty else { throw .empty }
        guard part != ".", part != ".." else { throw .dots }
        guard !part.unicodeScalars.contains(where: isControl) else { throw .control }
        let name = try cut(CanonicalComposition.composed(part), byteCountMax)
        guard !isDevice(name), !isReserved(name) else { throw .reserved }
        return name
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // What turns the direction of writing is there to deceive: `exe.txt` that ends in `.exe`.
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func cut(
        _ name: String, _ byteCountMax: Int
    ) throws(FileNameError) -> String {
        guard name.utf8.count > byteCountMax else { return name }
        let (stem, suffix) = split(name)
        var room = byteCountMax - suffix.utf8.count
        var kept = ""
        for character in stem {
            room -= character.utf8.count
            guard room >= 0 else { break }
            kept.append(character)
        }
        guard !kept.isEmpty else { throw .tooLong }
        return kept + suffix
    }

    /// A name without its extension, and the extension with its dot.
    ///
    /// What is long is no extension, but a sentence with a full stop.
    private static func split(_ name: String) -> (stem: Substring, suffix: Substring) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            name[dot...].utf8.count <= 32
        else { return (name[...], "") }
        return (name[..<dot], name[dot...])
    }

    /// Whether Windows takes a name for that of a device, with any extension and spaces.
    private static func isDevice(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }
        let base = String(stem.reversed().drop { $0 == " " }.reversed()).lowercasedASCII
        switch base {
        case "con", "prn", "aux", "nul", "conin$", "conout$": return true
        default:
            let digits: Set<Character> = [
                "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "\u{B9}", "\u{B2}", "\u{B3}",
            ]
            return (base.hasPrefix("com") || base.hasPrefix("lpt")) && base.count == 4
                && base.last.map { digits.contains($0) } ?? false
        }
    }
}
