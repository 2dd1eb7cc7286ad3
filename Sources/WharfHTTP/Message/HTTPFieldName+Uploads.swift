extension HTTPField.Name {
    /// Of tus 1.0: the version that is spoken.
    public static let tusResumable = Self(unchecked: "Tus-Resumable")
    /// Of tus 1.0: the versions that a server speaks.
    public static let tusVersion = Self(unchecked: "Tus-Version")
    /// Of tus 1.0: the extensions that a server has.
    public static let tusExtension = Self(unchecked: "Tus-Extension")
    /// Of tus 1.0: bytes that an upload may have.
    public static let tusMaxSize = Self(unchecked: "Tus-Max-Size")
    /// Of tus 1.0: the hash functions that a server knows.
    public static let tusChecksumAlgorithm = Self(unchecked: "Tus-Checksum-Algorithm")
    /// Of tus 1.0: what the client says of the file.
    public static let uploadMetadata = Self(unchecked: "Upload-Metadata")
    /// Of tus 1.0: the length follows later.
    public static let uploadDeferLength = Self(unchecked: "Upload-Defer-Length")
    /// Of tus 1.0: parts, and what is made of them.
    public static let uploadConcat = Self(unchecked: "Upload-Concat")
    /// Of tus 1.0: the digest of a request's body.
    public static let uploadChecksum = Self(unchecked: "Upload-Checksum")
    /// Of tus 1.0: when an upload is given up.
    public static let uploadExpires = Self(unchecked: "Upload-Expires")
    /// How many bytes are there: of tus 1.0, and of the IETF's resumable uploads.
    public static let uploadOffset = Self(unchecked: "Upload-Offset")
    /// Bytes of the whole: of tus 1.0, and of the IETF's resumable uploads.
    public static let uploadLength = Self(unchecked: "Upload-Length")
    /// Of the IETF's resumable uploads: whether the request, or what there is, ends the upload.
    public static let uploadComplete = Self(unchecked: "Upload-Complete")
    /// Of the IETF's resumable uploads, up to the interop number 3: the opposite.
    public static let uploadIncomplete = Self(unchecked: "Upload-Incomplete")
    /// Of the IETF's resumable uploads: what a server takes.
    public static let uploadLimit = Self(unchecked: "Upload-Limit")
    /// Of the IETF's resumable uploads: which draft is spoken.
    public static let uploadDraftInteropVersion = Self(unchecked: "Upload-Draft-Interop-Version")
    /// The method that is meant, for clients that can't send it.
    public static let xHTTPMethodOverride = Self(unchecked: "X-HTTP-Method-Override")
    /// RFC 5789 §3.1.
    public static let acceptPatch = Self(unchecked: "Accept-Patch")
    /// RFC 9530 §2.
    public static let contentDigest = Self(unchecked: "Content-Digest")
    /// RFC 9530 §3.
    public static let reprDigest = Self(unchecked: "Repr-Digest")
    /// RFC 9530 §4.
    public static let wantContentDigest = Self(unchecked: "Want-Content-Digest")
    /// RFC 9530 §4.
    public static let wantReprDigest = Self(unchecked: "Want-Repr-Digest")
}
