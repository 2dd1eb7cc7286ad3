extension MediaType {
    /// Whether content of a type, the value of Content-Type, becomes much shorter by compression.
    ///
    /// Text does, whatever it is called; images, sound, films and archives are compressed already.
    public static func isCompressible(_ contentType: some StringProtocol) -> Bool {
        if contentType == MediaTypeMap.unknown { return false }
        let essence = contentType.prefix { $0 != ";" && $0 != " " }
        let name = String(essence).lowercasedASCII
        return name.hasPrefix("text/") || name.hasSuffix("+json") || name.hasSuffix("+xml")
            || compressible.contains(name)
    }

    private static let compressible: Set<String> = [
        "application/json", "application/xml", "application/javascript", "application/wasm",
        "application/yaml", "application/toml", "application/rtf", "application/x-tar",
        "application/vnd.apple.mpegurl", "font/ttf", "font/otf", "image/bmp", "image/x-icon",
        "model/stl",
    ]
}
