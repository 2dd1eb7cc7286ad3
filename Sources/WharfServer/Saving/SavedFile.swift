/// A file that was stored under a name in a folder.
public struct SavedFile: Sendable, Hashable {
    /// Its name, which may not be the one that was asked for: tell the client.
    public let name: String
    /// The folder's path, as it was given, and the name.
    public let path: String
    /// Bytes.
    public let byteCount: Int64
    /// Whether it took the place of another file.
    public let isReplacing: Bool
}

/// What becomes of a file whose name is taken.
public enum TakenName: Sendable, Hashable {
    /// It is not stored: the ``HTTPError`` 409.
    case refuse
    /// It takes the place of the file that is there, and nobody ever sees a part of it.
    case replace
    /// It is called `name (1).txt`, or by the next number that is free.
    case number
}
