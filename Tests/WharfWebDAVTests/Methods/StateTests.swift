import TestSupport
import Testing
import WharfNet
import WharfServer
import WharfStore

@testable import WharfWebDAV

@Suite struct `A drive's state` {
    @Test func `survives a restart`() async throws {
        let state = try TemporaryFolder()
        var options = WebDAVHandler.Options()
        options.stateFolder = state.path
        let folder = try TemporaryFolder()
        let body = """
            <D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x:y xmlns:x="urn:x">1</x:y></D:prop>\
            </D:set></D:propertyupdate>
            """
        try folder.write("1", to: "a")
        var token = ""
        try await Drive.with(folder: folder, options: options) { drive in
            #expect(try await drive.status("PROPPATCH", "/a", body: body) == 207)
            token = try await drive.lock("/a")
        }
        try await Drive.with(folder: folder, options: options) { drive in
            let entry = try await drive.ask("PROPFIND", "/a").multiStatus()["/a"]
            #expect(entry?.text(XMLName(namespace: "urn:x", "y")) == "1")
            #expect(try await drive.status("PUT", "/a", body: "2") == 423)
            let held = ["If": "(<\(token)>)"]
            #expect(try await drive.status("PUT", "/a", held, body: "2") == 204)
        }
    }

    private static let property = DeadProperty(name: .dav("x"), markup: Array("<x/>".utf8))

    private static func path(_ text: String) -> ResourcePath {
        ResourcePath(bytes: Array(text.utf8))
    }

    /// A change that a killed process had begun is finished, or forgotten if it was not made.
    @Test(
        arguments: [
            (.moved(path("a"), to: path("n")), "n", true, ["b", "n"]),
            (.moved(path("a"), to: path("n")), "a", true, ["a", "b"]),
            (.moved(path("a"), to: path("b")), "b", false, ["b"]),
            (.removed(path("a")), nil, true, ["b"]), (.removed(path("a")), "a", true, ["a", "b"]),
            (.copied(path("a"), to: path("n"), isDeep: true), "n", true, ["a", "b", "n"]),
            (.copied(path("a"), to: path("n"), isDeep: true), nil, true, ["a", "b"]),
        ] as [(DriveChange, String?, Bool, [String])])
    func `follows what was changed before a kill`(
        change: DriveChange, name: String?, isOther: Bool, kept: [String]
    ) async throws {
        let state = try TemporaryFolder()
        let folder = try TemporaryFolder()
        try folder.write("1", to: name ?? "else")
        if isOther { try folder.write("2", to: "b") }
        let files = DirectoryHandler(try Share(folder: folder.path, isWritable: true))
        let inode = try files.folder.open(name ?? "else", cachedOnly: false).get().status.inode
        do {
            let database = try Database(path: state.path + "/webdav.sqlite")
            let store = try StoredPropertyStore(database)
            for name in ["a", "b"] where name != "b" || isOther {
                try store.change(Self.path(name), set: [Self.property], remove: [])
            }
            // What a copy takes the place of was another file.
            let before = change.witness == Self.path("n") || name == nil ? 1 : inode
            _ = try ChangeJournal(database).begin(change, inode: before)
        }
        let found = try DriveState(folder: state.path, root: files, now: 0)
        let names = try ["a", "b", "n"].filter {
            try !found.properties.properties(of: Self.path($0)).isEmpty
        }
        #expect(names == kept)
    }

    /// What lies too deep can't be removed.
    @Test(arguments: [true, false])
    func `keeps what was set on what could not be removed`(isStored: Bool) async throws {
        let state = try TemporaryFolder()
        var options = WebDAVHandler.Options()
        options.stateFolder = isStored ? state.path : nil
        let folder = try TemporaryFolder()
        var name = "a"
        for _ in 0..<300 {
            try folder.makeFolder(name)
            name += "/a"
        }
        let body = """
            <D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x:y xmlns:x="urn:x">1</x:y></D:prop>\
            </D:set></D:propertyupdate>
            """
        try await Drive.with(folder: folder, options: options) { drive in
            for path in ["/a/", "/a/a/"] {
                #expect(try await drive.status("PROPPATCH", path, body: body) == 207)
            }
            let token = try await drive.lock("/a/a/")
            let held = ["If": "</a/a/> (<\(token)>)"]
            #expect(try await drive.status("DELETE", "/a/", held) == 207)
            for path in ["/a/", "/a/a/"] {
                let entry = try await drive.ask("PROPFIND", path, ["Depth": "0"])
                    .multiStatus()[path]
                #expect(entry?.text(XMLName(namespace: "urn:x", "y")) == "1")
            }
            #expect(try await drive.status("PROPPATCH", "/a/a/", body: body) == 423)
            #expect(try await drive.status("PROPPATCH", "/a/a/", held, body: body) == 207)
        }
    }

    @Test func `forgets what a killed process was removing`() throws {
        let state = try TemporaryFolder()
        let folder = try TemporaryFolder()
        let files = DirectoryHandler(try Share(folder: folder.path, isWritable: true))
        let removed = Removal.shelf.appending(Array("7/a".utf8))
        do {
            let store = try StoredPropertyStore(Database(path: state.path + "/webdav.sqlite"))
            try store.change(removed, set: [Self.property], remove: [])
        }
        let found = try DriveState(folder: state.path, root: files, now: 0)
        #expect(try found.properties.properties(of: removed).isEmpty)
    }

    @Test func `forgets what was set on a file that somebody else has removed`() async throws {
        try await Drive.with { drive in
            let body = """
                <D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x:y xmlns:x="urn:x">1</x:y>\
                </D:prop></D:set></D:propertyupdate>
                """
            for (method, name) in [("PUT", "a"), ("MKCOL", "b"), ("LOCK", "c")] {
                try drive.folder.write("1", to: name)
                #expect(try await drive.status("PROPPATCH", "/\(name)", body: body) == 207)
                try drive.folder.remove(name)
                let made = try await drive.status(
                    method, "/\(name)", body: method == "LOCK" ? lockInfo() : "")
                #expect(made == 201)
                let list = try await drive.ask("PROPFIND", "/\(name)", ["Depth": "0"]).text
                #expect(list.contains("207") == false && !list.contains("urn:x"))
            }
        }
    }

    @Test func `is one process's at a time`() throws {
        let state = try TemporaryFolder()
        var options = WebDAVHandler.Options()
        options.stateFolder = state.path
        let folder = try TemporaryFolder()
        let share = try Share(folder: folder.path, isWritable: true)
        let first = try WebDAVHandler(share, options: options)
        let error = #expect(throws: WebDAVStateError.self) {
            _ = try WebDAVHandler(share, options: options)
        }
        #expect(error?.reason == "another process uses it")
        #expect(!first.allowedMethods.isEmpty)
    }
}
