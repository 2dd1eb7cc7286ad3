import TestSupport
import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

/// A multipart body: name, file name (`nil`: a text), data.
func multipart(_ parts: [(String, String?, String)], isCut: Bool = false) -> String {
    let bodies = parts.map { name, fileName, data in
        let file = fileName.map { "; filename=\"\($0)\"\r\nContent-Type: text/x-test" } ?? ""
        return
            "--limit\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n\(data)\r\n"
    }
    return bodies.joined() + (isCut ? "" : "--limit--\r\n")
}

func post(_ path: String, _ type: String, _ body: String) -> String {
    request(
        "POST \(path)", ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"], body: body)
}

let multipartType = "multipart/form-data; boundary=limit"

@Suite(.timeLimit(.minutes(1))) struct `A form` {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var limits: Form.Limits {
        var limits = Form.Limits()
        limits.folder = folder.path
        return limits
    }

    private func names() throws -> [String] {
        let root = try RootedDirectory(path: folder.path, system: .withoutLoop)
        let opened = try root.open("", cachedOnly: false).get()
        let stream = try root.system.openStream(of: opened.handle.descriptor).get()
        defer { root.system.close(stream) }
        var names: [String] = []
        while let name = try root.system.nextName(of: stream).get() {
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    /// Serves a handler that reads a form, and sends it one.
    private func answer(
        _ limits: Form.Limits? = nil, _ type: String, _ body: String,
        _ handle: @escaping @Sendable (Form) async throws -> String = { _ in "" }
    ) async throws -> WireResponse {
        let limits = limits ?? self.limits
        return try await withServer { router in
            router.post("/", bodyMax: .max) {
                .text(try await handle(try await $0.form(limits: limits)))
            }
        } _: {
            try await $0.exchange(post("/", type, body))
        }
    }

    private static func describe(_ form: Form) async throws -> String {
        var lines: [String] = []
        for part in form.parts {
            if let file = part.file {
                let text = String(decoding: try await file.bytes(upTo: 100), as: UTF8.self)
                lines.append("\(part.name)=\(file.fileName):\(text)")
            } else {
                lines.append("\(part.name)=\(part.text ?? "?")")
            }
        }
        return lines.joined(separator: "|")
    }

    @Test(
        arguments: [
            ("application/x-www-form-urlencoded", "a=1&b=%20+&a=2&c", "a=1|b=  |a=2|c="),
            ("Application/X-WWW-Form-URLEncoded; charset=utf-8", "a=%C3%A9", "a=é"),
            (
                multipartType,
                multipart([("a", nil, "1"), ("f", "x.txt", "data"), ("a", nil, "")]),
                "a=1|f=x.txt:data|a="
            ),
            (multipartType, multipart([("f", "", "")]), "f="),
            (multipartType, multipart([("f", "e", ""), ("f", "../b", "y")]), "f=e:|f=../b:y"),
            (multipartType, "--limit--\r\n", ""),
        ])
    func `has its fields and files in their order`(
        _ type: String, _ body: String, _ expected: String
    ) async throws {
        let answer = try await answer(nil, type, body) { try await Self.describe($0) }
        #expect(answer.status == 200)
        #expect(answer.text == expected)
        #expect(try names() == [])
    }

    @Test func `can be asked by name`() async throws {
        let body = multipart([
            ("a", nil, "1"), ("f", "", ""), ("a", nil, "2"), ("f", "x.txt", "data"),
            ("a", "y", "file"),
        ])
        let answer = try await answer(nil, multipartType, body) { form in
            #expect(form["a"] == "1")
            #expect(form["b"] == nil)
            #expect(form[values: "a"] == ["1", "2"])
            #expect(form.file("f")?.fileName == "x.txt")
            #expect(form.file("f")?.contentType?.subtype == "x-test")
            #expect(form.file("b") == nil)
            #expect(form.files.map(\.byteCount) == [4, 4])
            let digest = try await form.files[0].sha256()
            // printf data | sha256sum
            #expect(digest.prefix(4) == [0x3A, 0x6E, 0xB0, 0x79])
            return "done"
        }
        #expect(answer.text == "done")
    }

    @Test(
        arguments: [
            ("text/plain", "a=1", 415), ("multipart/mixed; boundary=limit", "", 415),
            ("multipart/form-data", "", 400), ("multipart/form-data; boundary=limit", "none", 400),
            (multipartType, multipart([("a", nil, "1"), ("f", "x", "data")], isCut: true), 400),
            (
                multipartType,
                multipart([("a", nil, "1"), ("a", nil, "1"), ("a", nil, "1"), ("a", nil, "1")]), 413
            ),
            ("application/x-www-form-urlencoded", "a&a&a&a", 413),
            (multipartType, multipart([("f", "x", ""), ("f", "y", ""), ("f", "z", "")]), 413),
            (multipartType, multipart([("a", nil, "123"), ("b", nil, "456")]), 413),
            ("application/x-www-form-urlencoded", "a=1234", 413),
            (multipartType, multipart([("f", "x", "12345")]), 413),
            (
                multipartType,
                multipart([("a", nil, "12"), ("b", nil, "345"), ("f", "x", "1234")]), 200
            ),
        ])
    func `is refused past a limit, and when it is broken`(
        _ type: String, _ body: String, _ status: Int
    ) async throws {
        var limits = limits
        limits.partCountMax = 3
        limits.textMax = 5
        limits.fileMax = 4
        limits.fileCountMax = 2
        #expect(try await answer(limits, type, body).status == status)
        #expect(try names() == [])
    }

    @Test func `is refused in a coding`() async throws {
        let (body, folder) = (multipart([("a", nil, "1")]), folder.path)
        let answer = try await withServer { router in
            router.post("/") { request in
                var limits = Form.Limits()
                limits.folder = folder
                _ = try await request.form(limits: limits)
                return .text("")
            }
        } _: {
            try await $0.exchange(
                request(
                    "POST /",
                    [
                        "Content-Type: \(multipartType)", "Content-Encoding: gzip",
                        "Content-Length: \(body.utf8.count)",
                    ], body: body))
        }
        #expect(answer.status == 415)
    }

    @Test func `leaves files that were moved, with names that are safe`() async throws {
        let body = multipart([
            ("f", "a.txt", "one"), ("f", "C:\\\\x\\\\a.txt", "two"), ("f", "../../a.txt", "three"),
            ("f", "left", "four"),
        ])
        let path = folder.path
        let answer = try await answer(nil, multipartType, body) { form in
            var lines: [String] = []
            for file in form.files.dropLast() {
                let saved = try await file.move(into: path)
                lines.append("\(saved.name) \(saved.byteCount) \(saved.isReplacing)")
            }
            return lines.joined(separator: "|")
        }
        #expect(answer.text == "a.txt 3 false|a (1).txt 3 false|a (2).txt 5 false")
        #expect(try names() == ["a (1).txt", "a (2).txt", "a.txt"])
    }

    @Test(
        arguments: [
            (TakenName.refuse, "a.txt", 409), (.replace, "a.txt", 200), (.number, "a.txt", 200),
            (.number, "..", 400), (.replace, "", 400), (.replace, "nul.txt", 400),
            (.replace, ".wharf-0123456789abcdef.part", 400), (.replace, "sub", 405),
            (.number, "sub", 200),
        ])
    func `puts files where the name is taken as it is told`(
        _ taken: TakenName, _ name: String, _ status: Int
    ) async throws {
        try folder.write("old", to: "a.txt")
        try folder.makeFolder("sub")
        let path = folder.path
        let answer = try await answer(nil, multipartType, multipart([("f", "x", "new")])) { form in
            try await form.files[0].move(into: path, named: name, ifTaken: taken).name
        }
        #expect(answer.status == status)
        let content = try WholeFile.read(path + "/a.txt", byteCountMax: 10)
        let isReplaced = taken == .replace && status == 200
        #expect(content == Array((isReplaced ? "new" : "old").utf8))
        if status == 200, !isReplaced {
            #expect(answer.text == (name == "sub" ? "sub (1)" : "a (1).txt"))
        }
    }
}
