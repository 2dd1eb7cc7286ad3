import WharfHTTP

/// A response's Content-Type; the common ones are a line that is copied as it is.
enum ContentTypeField: Sendable {
    case text
    case html
    case octets
    case other(String)

    init(_ value: String) {
        switch value {
        case Self.text.value: self = .text
        case Self.html.value: self = .html
        case Self.octets.value: self = .octets
        default: self = .other(value)
        }
    }

    var value: String {
        switch self {
        case .text: "text/plain; charset=utf-8"
        case .html: "text/html; charset=utf-8"
        case .octets: "application/octet-stream"
        case .other(let value): value
        }
    }

    func append(to output: inout [UInt8]) {
        switch self {
        case .text: output.append(contentsOf: Self.textLine)
        case .html: output.append(contentsOf: Self.htmlLine)
        case .octets: output.append(contentsOf: Self.octetsLine)
        case .other(let value): HeadSerializer.appendField("Content-Type", value, to: &output)
        }
    }

    private static let textLine = line(.text)
    private static let htmlLine = line(.html)
    private static let octetsLine = line(.octets)

    private static func line(_ field: ContentTypeField) -> [UInt8] {
        Array("Content-Type: \(field.value)\r\n".utf8)
    }
}
