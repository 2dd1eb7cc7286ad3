import TestSupport
import Testing

@testable import WharfServer

@Suite struct `A folder's list for programs` {
    @Test(
        arguments: [
            ("application/json", true), ("application/json;q=0.9, text/html;q=0.8", true),
            ("application/json, text/plain, */*", true), ("*/*", false), (nil, false),
            ("text/html, application/json", false), ("image/png", false),
        ] as [(String?, Bool)])
    func `is sent to who prefers it`(_ accept: String?, _ isJSON: Bool) async throws {
        try await ServedFolder.with { served in
            let response = try await served.ask("/", accept.map { ["Accept": $0] } ?? [:])
            let type = isJSON ? "application/json" : "text/html; charset=utf-8"
            #expect(response.fields["content-type"] == type)
            #expect(response.fields["vary"]?.hasPrefix("Accept") ?? false)
            #expect(response.fields["x-content-type-options"] == "nosniff")
            #expect(response.fields["cache-control"] == "no-cache")
        }
    }

    @Test func `says what is there`() async throws {
        try await ServedFolder.with { served in
            try served.folder.makeFolder("sub dir")
            try served.folder.makeFolder("sub dir/inner")
            try served.folder.write("12345", to: "sub dir/a \"b\".txt")
            for name in ["sub dir/a \"b\".txt", "sub dir/inner"] {
                try served.folder.setTime(of: name, seconds: 784_111_777)
            }
            let response = try await served.ask("/sub%20dir/", ["Accept": "application/json"])
            #expect(
                response.text == """
                    {"path":"/sub%20dir/","isComplete":true,"entries":[
                    {"name":"inner","type":"folder","href":"inner/","modified":"1994-11-06T08:49:37Z"},
                    {"name":"a \\"b\\".txt","type":"file","href":"a%20%22b%22.txt","size":5,\
                    "modified":"1994-11-06T08:49:37Z"}
                    ]}

                    """)
        }
    }

    @Test func `keeps what is no text apart`() {
        let item = FolderListing.Item(
            name: [0x61, 0x0A, 0xFF, 0x5C], isFolder: false, size: 1, modificationSeconds: 0)
        let json = FolderJSON(path: "/", listing: FolderListing(items: [item], isCut: true))
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(text.contains(#""name":"a\u000a\#u{FFFD}\\","type":"file","href":"a%0A%FF%5C""#))
        #expect(text.contains("\"isComplete\":false"))
    }
}
