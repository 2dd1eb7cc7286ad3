import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `PUT by somebody` {
    private static func authentication() throws -> Authentication {
        var users = UserList(realm: "test")
        try users.add("writer", password: "w", access: .writer)
        try users.add("reader", password: "r", access: .reader)
        var options = Authentication.Options()
        options.isReadingPublic = true
        return Authentication(BasicAuthentication(users: users), options: options)
    }

    @Test(
        arguments: [
            (nil, 401), ("reader:r", 403), ("writer:x", 401), ("writer:w", 100),
        ] as [(String?, Int)])
    func `who may not write is told before anything of the body is asked for`(
        _ credentials: String?, _ status: Int
    ) async throws {
        let authentication = try Self.authentication()
        try await WritableFolder.with(middleware: authentication) { share async throws in
            var fields = ["Expect: 100-continue", "Content-Length: 3"]
            if let credentials {
                fields.append("Authorization: Basic \(Base64.encode(Array(credentials.utf8)))")
            }
            let client = try await share.server.connect()
            #expect(try await client.exchange(request("PUT /a", fields)).status == status)
            #expect(try share.names() == [])
            guard status == 100 else { return }
            try await client.send("new")
            #expect(try await client.response(to: "PUT").status == 201)
            #expect(try share.text("a") == "new")
        }
    }
}
