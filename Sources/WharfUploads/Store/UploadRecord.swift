import WharfHTTP

/// What is known of one upload, besides its bytes.
struct UploadRecord: Sendable, Hashable {
    /// Where the file goes when it is whole: a request that what serves the share will be asked.
    struct Target: Sendable, Hashable {
        var method: HTTPRequest.Method
        /// The path below the mount, encoded, with its query.
        var path: String
        var clash: NameClash
        /// What the client said with the request that began the upload, and the target has to know.
        var fields: [Field]
    }

    /// A field, as it is kept.
    struct Field: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// What became of it.
    struct Outcome: Sendable, Hashable {
        let byteCount: Int64
        /// Where the file lies: an encoded path below the mount.
        let path: String
    }

    /// A name that it was about to get.
    ///
    /// When the process has ended just then, the file itself tells whether it has got it.
    struct Attempt: Sendable, Hashable {
        /// An encoded path below the mount.
        let path: String
        /// What the file system calls the file.
        let inode: UInt64
    }

    /// What nobody can guess, and its URL ends in.
    let id: String
    /// The user whose it is; `nil`: anybody's who knows the URL.
    let owner: String?
    /// The folder below the share's that the bytes lie in, and their file's name there.
    let folder: [UInt8]
    let part: [UInt8]
    /// `nil`: it is a part of another upload.
    let target: Target?
    /// What a tus client said, which is told back.
    let metadata: String?
    /// The parts that it was made of, as they were named.
    let concatenation: String?
    /// Bytes that it will have.
    var length: Int64?
    /// Bytes behind it were not checked yet, and count only when they have been.
    var floor: Int64?
    /// Seconds since 1970.
    var expiry: Int64
    var attempt: Attempt?
    /// `nil` until it has its name.
    var outcome: Outcome?
}

/// What becomes of an upload whose name is taken.
public enum NameClash: Int, Sendable, Hashable {
    /// It gets the next name that is free, as `name (1).txt`.
    case keepBoth
    /// It takes the place of the file that is there.
    case replace
    /// It is not stored: 409.
    case refuse
}
