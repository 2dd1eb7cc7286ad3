import CAssets
import WharfHTTP
import WharfServer

/// A file of the page that lies in the program itself.
struct Asset: Sendable {
    let name: String
    let bytes: [UInt8]
    /// Changes with the content, so that clients may keep what they have for ever.
    let version: String
    private let contentType: String
    private let packed: [UInt8]?

    private init(
        _ name: String, _ contentType: String,
        _ read: (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?
    ) {
        self.name = name
        self.contentType = contentType
        var count = 0
        // The pointer is to bytes of the program, which stay for ever, and are so many.
        let start = unsafe read(&count)
        bytes = unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
        version = ContentVersion.of(bytes)
        // Without memory for it, it is sent as it is.
        packed = try? Self.packed(bytes)
    }

    /// The template of the page.
    static let page = unsafe Asset("page.html", "text/html; charset=utf-8", cassets_page_html)
    /// The page's script.
    static let script = unsafe Asset("page.js", "text/javascript; charset=utf-8", cassets_page_js)
    /// The page's style sheet.
    static let style = unsafe Asset("page.css", "text/css; charset=utf-8", cassets_page_css)
    /// The page's icon.
    static let icon = unsafe Asset("icon.svg", "image/svg+xml", cassets_icon_svg)

    /// What browsers load.
    static let served = [script, style, icon]

    /// The answer to GET.
    func response(to request: Request) -> Response {
        let accepted = AcceptedEncodings(parsing: request.fields[.acceptEncoding])
        var fields: HTTPFields = [
            .cacheControl: "max-age=31536000, immutable", .vary: "Accept-Encoding",
            .xContentTypeOptions: "nosniff",
        ]
        var body = bytes
        var tag = version
        if let packed, accepted.prefers("gzip") {
            body = packed
            tag += "-gzip"
            fields[.contentEncoding] = "gzip"
        }
        fields[.eTag] = EntityTag(tag).description
        return Response(fields: fields, contentType: contentType, body: .bytes(body))
            .compressed(false)
    }

    private static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        var deflater = try Deflater(.gzip, level: 9)
        var output: [UInt8] = []
        var start = 0
        while true {
            let rest = bytes.span.extracting(start..<bytes.count)
            let step = try deflater.deflate(rest, flush: .finish, to: &output)
            start += step.consumed
            if step.isComplete { return output }
        }
    }
}

/// A text that changes with a content.
enum ContentVersion {
    /// The text for a content: hexadecimal digits.
    static func of(_ bytes: some Sequence<UInt8>) -> String {
        // FNV-1a: nobody has a reason to make two contents of the program's own collide.
        let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return String(sum, radix: 16)
    }
}
