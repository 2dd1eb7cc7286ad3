import TestSupport
import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite struct `A template` {
    @Test(arguments: [
        ("", ""), ("a", "a"), ("%a%", "1"), ("<%a%>", "<1>"), ("%a%%b%", "1<&>\"'"),
        ("%c%", "&lt;b&gt; &amp;&quot;&#39;"), ("%none%", "%none%"), ("%a", "%a"), ("a%", "a%"),
        ("%%", "%%"), ("%%a%%", "%1%"), ("100%", "100%"),
        ("width:50%;height:20%", "width:50%;height:20%"),
        ("50%a%50%", "50150%"), ("% a%", "% a%"), ("%a b%c%", "%a b&lt;b&gt; &amp;&quot;&#39;"),
        ("%x-y.z_1%", "2"), ("ä%a%ö", "ä1ö"), ("%ä%a%", "%ä1"), ("%none%a%", "%none%a%"),
        ("%empty%", ""), ("%again%", "%a%"),
    ])
    func `has values in its places`(_ text: String, _ wanted: String) {
        let values: [String: HTMLTemplate.Value] = [
            "a": "1", "b": .html("<&>\"'"), "c": "<b> &\"'", "x-y.z_1": "\(2)", "empty": "",
            "again": "%a%",
        ]
        #expect(HTMLTemplate(text).render(values) == wanted)
    }

    @Test func `may be a file`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("<p>%name%\n", to: "page.html")
        let template = try HTMLTemplate(file: folder.path + "/page.html")
        let response = Response.html(template, ["name": "<ä>"], status: .created)
        #expect(response.status == .created && response.contentType == "text/html; charset=utf-8")
        #expect(template.render(["name": "<ä>"]) == "<p>&lt;ä&gt;\n")
        #expect(throws: Errno.notFound) { try HTMLTemplate(file: folder.path + "/none") }
        try folder.write(String(repeating: "a", count: 4 << 20), to: "large")
        #expect(try HTMLTemplate(file: folder.path + "/large").render([:]).utf8.count == 4 << 20)
        try folder.write(String(repeating: "a", count: 4 << 20 + 1), to: "larger")
        #expect(throws: Errno.outOfMemory) { try HTMLTemplate(file: folder.path + "/larger") }
    }
}
