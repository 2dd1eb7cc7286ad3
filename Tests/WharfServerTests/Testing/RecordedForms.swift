import WharfHTTP
import WharfServer

/// The programs behind the recorded forms: they answer what those have answered.
enum RecordedForms {
    private static func page(_ indent: Int, _ lines: [String], end: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return "<html><body>" + lines.map { margin + $0 }.joined()
            + String(repeating: " ", count: end) + "</body></html>"
    }

    static func addText(to router: Router) {
        let margin = String(repeating: " ", count: 13)
        let form = page(
            15,
            [
                "<form name=\"input\" action=\"/\" method=\"post\" "
                    + "enctype=\"application/x-www-form-urlencoded\">",
                "Value: <input type=\"text\" name=\"value\">",
                "<input type=\"submit\" value=\"Submit\">", "</form>",
            ], end: 13)
        router.get("/", on: .loop) { _ in .html(margin + form + margin.dropLast(2)) }
        router.post("/", on: .loop) { request in
            let body = try await request.body.collect(upTo: 1000)
            let value = URLEncodedForm(parsing: body)?["value"]
            return .html("<html><body><p>\(value ?? "none")</p></body></html>")
        }
    }

    static func addFiles(to router: Router) {
        let form = page(
            11,
            [
                "<form name=\"input\" action=\"/\" method=\"post\" enctype=\"multipart/form-data\">",
                "<input type=\"hidden\" name=\"secret\" value=\"42\">",
                "<input type=\"file\" name=\"files\" multiple><br/>",
                "<input type=\"submit\" value=\"Submit\">", "</form>",
            ], end: 9)
        router.get("/", on: .loop) { _ in .html(form) }
        router.post("/", on: .loop) { request in
            let body = try await request.body.collect(upTo: 1_000_000)
            let boundary = try MultipartBoundary(contentType: request.fields[.contentType])
            var text = ""
            for part in try parts(body, MultipartParser(boundary: boundary)) {
                text += part.description + "<br>"
            }
            return .html("<html><body><p>\(text)</p><hr>" + form.dropFirst("<html><body>".count))
        }
    }

    private struct Part {
        let head: MultipartPartHead
        var data: [UInt8] = []

        /// `secret = 42` or `files = "name" (type | size)`.
        var description: String {
            guard let name = head.fileName else {
                return "\(head.name) = \(String(decoding: data, as: UTF8.self))"
            }
            let size = data.count < 1000 ? "\(data.count) Bytes" : "\(data.count / 1000) KB"
            let type = head.fields[.contentType] ?? "text/plain"
            return "\(head.name) = &quot;\(name)&quot; (\(type) | \(size))"
        }
    }

    private static func parts(_ body: [UInt8], _ parser: consuming MultipartParser) throws -> [Part]
    {
        var parts: [Part] = []
        var position = 0
        while let event = try parser.next(in: body.span, from: &position) {
            switch event {
            case .part(let head): parts.append(Part(head: head))
            case .data(let range): parts[parts.count - 1].data += body[range]
            case .heldData(let bytes): parts[parts.count - 1].data += bytes
            case .partEnd, .finished: break
            }
        }
        try parser.finish()
        return parts
    }
}
