import Testing
import WharfBLIP
import WharfBLIPEngine
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer

private struct Person: Codable, Hashable {
    var name: String
    var ages: [Int]
}

@Suite(.timeLimit(.minutes(2))) struct `A BLIP service` {
    @Test func `frees the ports of a listener that nobody ran`() throws {
        let port: UInt16
        do {
            let listener = try BLIPTCPListener([.loopback(port: 0)], BLIPDispatcher())
            port = listener.addresses[0].port
        }
        _ = try BLIPTCPListener([.loopback(port: port)], BLIPDispatcher())
    }

    @Test func `takes handlers on and off while it runs, and has one for the rest`() async throws {
        let dispatcher = BLIPDispatcher()
        try await withPair(.v3, dispatcher) { connection in
            func answer() async throws -> String {
                let reply = try await connection.send(BLIPMessage(profile: "a"))
                return reply.error?.message ?? reply.text ?? ""
            }
            let atFirst = try await answer()
            #expect(atFirst == "No handler for BLIP request")
            dispatcher.on("a") { _ in BLIPMessage(body: Array("one".utf8)) }
            let added = try await answer()
            #expect(added == "one")
            dispatcher.onOthers { BLIPMessage(body: Array("others \($0.profile ?? "")".utf8)) }
            let stillAdded = try await answer()
            #expect(stillAdded == "one")
            dispatcher.remove("a")
            let removed = try await answer()
            #expect(removed == "others a")
            dispatcher.onOthers(nil)
            let atLast = try await answer()
            #expect(atLast == "No handler for BLIP request")
        }
    }

    @Test func `has values as JSON, texts, and properties of other types`() async throws {
        let dispatcher = BLIPDispatcher()
        dispatcher.on("older") { request in
            var person = try request.json(Person.self)
            person.ages = person.ages.map { $0 + (request.properties["by", as: Int.self] ?? 0) }
            var reply = BLIPMessage()
            try reply.setJSON(person)
            reply.properties["isOld", as: Bool.self] = true
            return reply
        }
        try await withPair(.v3, dispatcher) { connection in
            var message = BLIPMessage(profile: "older")
            message.properties["by", as: Int.self] = 2
            let ages = Array(0..<60)
            try message.setJSON(Person(name: "Ada", ages: ages))
            message.userValue = "mine"
            #expect(message.isCompressed && message["Content-Type"] == "application/json")
            let reply = try await connection.send(message)
            #expect(try reply.json(Person.self).ages == ages.map { $0 + 2 })
            #expect(reply.properties["isOld", as: Bool.self] == true)
            #expect(reply.userValue as? String == "mine")
            var bad = BLIPMessage(profile: "older")
            bad.setText("no JSON")
            #expect(bad["Content-Type"] == "text/plain; charset=UTF-8" && !bad.isCompressed)
            let badError = try await connection.send(bad).error
            #expect(badError == .badRequest)
        }
    }

    @Test func `tells of errors with properties of their own`() async throws {
        let dispatcher = BLIPDispatcher()
        dispatcher.on("fail") { _ in
            var error = BLIPError(domain: "App", code: -7, message: "no")
            error.properties["hint"] = "try again"
            throw error
        }
        for version in everyVersion {
            try await withPair(version, dispatcher) { connection in
                let reply = try await connection.send(BLIPMessage(profile: "fail"))
                #expect(reply.error?.code == -7 && reply.error?.domain == "App")
                #expect(reply.error?.properties.pairs.map(\.name) == ["hint"])
                #expect(throws: BLIPError.self) { try reply.checked() }
            }
        }
    }

    @Test func `sends on what it gets, whole or as it comes`() async throws {
        let far = BLIPDispatcher()
        far.on("where") { BLIPMessage(["at": "far"], body: $0.body + [1]) }
        try await withPair(.v2, far) { farther in
            let near = BLIPDispatcher()
            near.on("where") { request in try await farther.send(request.forwarded).forwarded }
            near.onStream("where as it comes") { request, body in
                var message = request.forwarded(body)
                message["Profile"] = "where"
                return try await farther.send(message).forwarded
            }
            try await withPair(.v3, near) { connection in
                for profile in ["where", "where as it comes"] {
                    let body = [UInt8](repeating: 5, count: 100_000)
                    let reply = try await connection.send(BLIPMessage(profile: profile, body: body))
                    #expect(reply["at"] == "far" && reply.body == body + [1])
                }
                let unknown = try await connection.send(BLIPMessage(profile: "other"))
                #expect(unknown.error == .notFound)
            }
        }
    }

    @Test func `knows who is there, and lets only those in whom it knows`() async throws {
        var users = UserList(realm: "BLIP")
        try users.add("ada", password: "secret")
        let who = BLIPDispatcher()
        who.on("who") { request in
            var reply = BLIPMessage()
            reply.setText(
                "\(request.connection.user?.name ?? "-") \(request.connection.peer != nil)")
            return reply
        }
        var configuration = BLIPListener.Configuration(port: 0)
        configuration.server.protection = nil
        configuration.server.log = .none
        configuration.users = users
        configuration.paths = ["/a", "/b/c"]
        let listener = try BLIPListener(configuration, who)
        try await whileRunning({ try await listener.run() }) {
            let url = "ws://127.0.0.1:\(listener.port)/"
            var configuration = HTTPClient.Configuration()
            configuration.credentials = ClientCredentials(userName: "ada", password: "secret")
            let known = try BLIPClient(http: configuration)
            for path in ["a", "b/c"] {
                let text = try await known.withConnection(to: url + path) {
                    try await $0.send(BLIPMessage(profile: "who")).text
                }
                #expect(text == "ada true")
            }
            let stranger = try BLIPClient()
            for (client, path) in [(stranger, "a"), (known, "c")] {
                await #expect(throws: (any Error).self) {
                    try await client.withConnection(to: url + path) { _ in }
                }
            }
            await listener.stop(within: .zero)
        }
    }

    @Test func `is reached over one connection for each URL`() async throws {
        let opened = Note(0)
        let events = Note<[String]>([])
        let dispatcher = BLIPDispatcher()
        dispatcher.on("echo") { BLIPMessage(body: $0.body) }
        var configuration = BLIPListener.Configuration(port: 0)
        configuration.server.protection = nil
        configuration.server.log = .none
        let listener = try BLIPListener(configuration, dispatcher) { _ in
            opened.change { $0 += 1 }
        }
        try await whileRunning({ try await listener.run() }) {
            let url = "ws://127.0.0.1:\(listener.port)/"
            let pool = BLIPPool(try BLIPClient()) { url, event in
                switch event {
                case .opened(let version): events.change { $0.append("opened \(version)") }
                case .closed: events.change { $0.append("closed") }
                case .activity, .ignored: break
                }
            }
            #expect(pool.existingConnection(to: url) == nil)
            // What is sent before anything runs waits.
            let early = Task {
                try await pool.connection(to: url).send(BLIPMessage(profile: "echo", body: [1]))
            }
            try await whileRunning({ await pool.run() }) {
                let earlyBody = try await early.value.body
                #expect(earlyBody == [1])
                for number: UInt8 in 2...9 {
                    let reply = try await pool.connection(to: url).send(
                        BLIPMessage(profile: "echo", body: [number]))
                    #expect(reply.body == [number])
                }
                #expect(opened.value == 1)
                let first = try #require(pool.existingConnection(to: url))
                await first.close()
                try await first.waitForEnd()
                #expect(pool.existingConnection(to: url) == nil)
                _ = try await pool.connection(to: url).send(BLIPMessage(profile: "echo"))
                await pool.close(4002)
                #expect(throws: BLIPConnectionError.self) { _ = try pool.connection(to: url) }
            }
            await listener.stop(within: .zero)
        }
        #expect(events.value == ["opened v3", "closed", "opened v3", "closed"])
    }

    @Test func `is spoken over TLS in its first version, and knows its clients' certificates`()
        async throws
    {
        let server = try TLSIdentity.selfSigned(hosts: ["localhost"])
        let someone = try TLSIdentity.selfSigned(hosts: ["ada"])
        let dispatcher = BLIPDispatcher()
        dispatcher.on("who") { request in
            var reply = BLIPMessage(body: request.body)
            let security = request.connection.security
            reply["known"] = "\(security?.peerCertificate == someone.certificate)"
            return reply
        }
        var tls = TLSServerConfiguration(identity: server)
        tls.clientCertificates = .required([someone.certificate])
        let listener = try BLIPTCPListener([.loopback(port: 0)], dispatcher, tls: tls)
        try await whileRunning({ try await listener.run() }) {
            let url = "blips://localhost:\(listener.addresses[0].port)"
            var configuration = HTTPClient.Configuration()
            configuration.tls.trust = .certificates([server.certificate])
            configuration.tls.identity = someone
            let client = try BLIPClient(http: configuration)
            let body = [UInt8](repeating: 3, count: 300_000)
            let reply = try await client.withConnection(to: url) { connection in
                try await connection.send(BLIPMessage(profile: "who", body: body))
            }
            #expect(reply.body == body && reply["known"] == "true")
            // Who is nobody, and who trusts nobody, gets nowhere.
            for change in [true, false] {
                var other = configuration
                if change { other.tls.identity = nil } else { other.tls.trust = .system }
                let stranger = try BLIPClient(http: other)
                await #expect(throws: (any Error).self) {
                    try await stranger.withConnection(to: url) { connection in
                        _ = try await connection.send(BLIPMessage(profile: "who"))
                    }
                }
            }
        }
    }
}
