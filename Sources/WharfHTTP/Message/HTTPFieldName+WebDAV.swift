extension HTTPField.Name {
    /// RFC 4918 §10.1.
    public static let dav = Self(unchecked: "DAV")
    /// RFC 4918 §10.2.
    public static let depth = Self(unchecked: "Depth")
    /// RFC 4918 §10.3.
    public static let destination = Self(unchecked: "Destination")
    /// RFC 4918 §10.4.
    public static let `if` = Self(unchecked: "If")
    /// RFC 4918 §10.5.
    public static let lockToken = Self(unchecked: "Lock-Token")
    /// RFC 4918 §10.6.
    public static let overwrite = Self(unchecked: "Overwrite")
    /// RFC 4918 §10.7.
    public static let timeout = Self(unchecked: "Timeout")
    /// What Microsoft's clients write with; MS-WDV §2.2.
    public static let msAuthorVia = Self(unchecked: "MS-Author-Via")
    /// The short form of `Prefer: return=minimal` that Microsoft's clients know.
    public static let brief = Self(unchecked: "Brief")
    /// RFC 7240 §2.
    public static let prefer = Self(unchecked: "Prefer")
    /// RFC 7240 §3.
    public static let preferenceApplied = Self(unchecked: "Preference-Applied")
    /// The time of a file that ownCloud's clients and rclone send; seconds since 1970.
    public static let xOCMtime = Self(unchecked: "X-OC-Mtime")
    /// The hash of a file that ownCloud's clients and rclone send: an algorithm, a colon, hexadecimal.
    public static let ocChecksum = Self(unchecked: "OC-Checksum")
    /// The part of a file that PATCH writes; sabre/dav.
    public static let xUpdateRange = Self(unchecked: "X-Update-Range")
    /// The length that Finder announces for a chunked body; bytes.
    public static let xExpectedEntityLength = Self(unchecked: "X-Expected-Entity-Length")
}
