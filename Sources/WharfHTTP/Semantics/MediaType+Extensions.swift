extension MediaType {
    /// The value of Content-Type for files with this extension; case does not matter, and there is
    /// no dot in it.
    ///
    /// Text is taken to be UTF-8. Unknown ones are `application/octet-stream`. See
    /// ``MediaTypeMap`` for one that knows more.
    public static func forExtension(_ fileExtension: some StringProtocol) -> String {
        MediaTypeMap().contentType(forExtension: fileExtension)
    }

    /// The value of Content-Type for a file of this name.
    public static func forFileName(_ name: some StringProtocol) -> String {
        MediaTypeMap().contentType(forFileName: name)
    }

    /// What is known of an extension in lower case.
    static func known(_ fileExtension: String) -> (plain: String, inUTF8: String)? {
        types[fileExtension]
    }

    private static let types: [String: (plain: String, inUTF8: String)] = {
        var types: [String: (plain: String, inUTF8: String)] = [:]
        for (type, extensions) in table {
            let inUTF8 = type.hasPrefix("text/") ? type + "; charset=utf-8" : type
            for name in extensions.split(separator: " ") {
                types[String(name)] = (type, inUTF8)
            }
        }
        return types
    }()

    // IANA's registry where it has the type, else what browsers take.
    private static let table: [(type: String, extensions: String)] = [
        ("text/html", "html htm"),
        ("text/css", "css"),
        ("text/javascript", "js mjs"),
        ("text/plain", "txt text log conf ini"),
        ("text/markdown", "md markdown"),
        ("text/csv", "csv"),
        ("text/calendar", "ics"),
        ("text/vcard", "vcf"),
        ("text/vtt", "vtt"),
        ("text/x-swift", "swift"),
        ("text/x-python", "py"),
        ("text/x-shellscript", "sh"),
        ("application/json", "json map"),
        ("application/ld+json", "jsonld"),
        ("application/manifest+json", "webmanifest"),
        ("application/xml", "xml xsl"),
        ("application/xhtml+xml", "xhtml"),
        ("application/atom+xml", "atom"),
        ("application/rss+xml", "rss"),
        ("application/yaml", "yaml yml"),
        ("application/toml", "toml"),
        ("application/pdf", "pdf"),
        ("application/rtf", "rtf"),
        ("application/wasm", "wasm"),
        ("application/zip", "zip"),
        ("application/gzip", "gz tgz"),
        ("application/x-bzip2", "bz2"),
        ("application/x-xz", "xz"),
        ("application/zstd", "zst"),
        ("application/x-7z-compressed", "7z"),
        ("application/vnd.rar", "rar"),
        ("application/x-tar", "tar"),
        ("application/java-archive", "jar"),
        ("application/vnd.android.package-archive", "apk"),
        ("application/x-apple-diskimage", "dmg"),
        ("application/x-iso9660-image", "iso"),
        ("application/vnd.debian.binary-package", "deb"),
        ("application/x-rpm", "rpm"),
        ("application/epub+zip", "epub"),
        ("application/x-mobipocket-ebook", "mobi"),
        ("application/vnd.comicbook+zip", "cbz"),
        ("application/msword", "doc"),
        ("application/vnd.ms-excel", "xls"),
        ("application/vnd.ms-powerpoint", "ppt"),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
        ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
        ("application/vnd.oasis.opendocument.text", "odt"),
        ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
        ("application/vnd.oasis.opendocument.presentation", "odp"),
        ("application/vnd.apple.pages", "pages"),
        ("application/vnd.apple.numbers", "numbers"),
        ("application/vnd.apple.keynote", "key"),
        ("application/vnd.sqlite3", "sqlite"),
        ("application/vnd.apple.mpegurl", "m3u8"),
        ("application/dash+xml", "mpd"),
        ("image/png", "png"),
        ("image/jpeg", "jpg jpeg"),
        ("image/gif", "gif"),
        ("image/webp", "webp"),
        ("image/avif", "avif"),
        ("image/heic", "heic"),
        ("image/heif", "heif"),
        ("image/svg+xml", "svg svgz"),
        ("image/bmp", "bmp"),
        ("image/tiff", "tif tiff"),
        ("image/x-icon", "ico"),
        ("image/jxl", "jxl"),
        ("image/apng", "apng"),
        ("image/x-adobe-dng", "dng"),
        ("image/vnd.adobe.photoshop", "psd"),
        ("audio/mpeg", "mp3"),
        ("audio/mp4", "m4a m4b"),
        ("audio/aac", "aac"),
        ("audio/ogg", "oga ogg"),
        ("audio/opus", "opus"),
        ("audio/flac", "flac"),
        ("audio/wav", "wav"),
        ("audio/aiff", "aif aiff"),
        ("audio/midi", "mid midi"),
        ("audio/webm", "weba"),
        ("video/mp4", "mp4 m4v"),
        ("video/webm", "webm"),
        ("video/ogg", "ogv"),
        ("video/quicktime", "mov"),
        ("video/matroska", "mkv"),
        ("video/x-msvideo", "avi"),
        ("video/x-ms-wmv", "wmv"),
        ("video/mpeg", "mpg mpeg"),
        ("video/mp2t", "ts m2ts"),
        ("video/3gpp", "3gp"),
        ("font/woff", "woff"),
        ("font/woff2", "woff2"),
        ("font/ttf", "ttf"),
        ("font/otf", "otf"),
        ("model/gltf-binary", "glb"),
        ("model/gltf+json", "gltf"),
        ("model/stl", "stl"),
        ("model/vnd.usdz+zip", "usdz"),
    ]
}
