import Testing
@testable import WharfNet

@Suite(.timeLimit(.minutes(1))) struct `A secured connection` {
    @Test func `moves bytes both ways, whatever their number`() async throws {
        try await TLSStage.run { stage in
            let pair = try await stage.pair(.test(), .test())
            let session = try pair.clientEnd.get()
            #expect(session.version == .tls13)
            #expect(session.applicationProtocol == "http/1.1")
            #expect(try pair.serverEnd.get().serverName == "localhost")
            #expect(session.peerCertificate == TestIdentity.localhost.certificate)
            let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            for (from, to) in [(pair.client, pair.server), (pair.server, pair.client)] {
                async let received = stage.readAll(to)
                try await from.sendAll(sent, patience: TLSStage.patience)
                await from.sayGoodbye(patience: TLSStage.patience)
                let (bytes, last) = await received
                #expect(bytes == sent)
                guard case .ended = last else {
                    Issue.record("\(last)")
                    return
                }
                #expect(from.sentByteCount == 3_000_000)
                #expect(to.receivedByteCount == 3_000_000)
            }
        }
    }

    @Test func `that ends without a farewell was cut`() async throws {
        try await TLSStage.run { stage in
            let pair = try await stage.pair(.test(), .test())
            try await pair.client.sendAll([1, 2, 3], patience: TLSStage.patience)
            stage.loop.system.finishSending(pair.client.descriptor)
            let (bytes, last) = await stage.readAll(pair.server)
            #expect(bytes == [1, 2, 3])
            guard case .failed = last else {
                Issue.record("\(last)")
                return
            }
            #expect(pair.server.securityFailure?.kind == .truncated)
        }
    }

    @Test func `ends with a farewell when it is closed`() async throws {
        try await TLSStage.run { stage in
            let pair = try await stage.pair(.test(), .test())
            pair.client.close()
            let (_, last) = await stage.readAll(pair.server)
            guard case .ended = last else {
                Issue.record("\(last)")
                return
            }
        }
    }

    @Test func `that somebody tampers with is broken`() async throws {
        try await TLSStage.run { stage in
            let pair = try await stage.pair(.test(), .test())
            let record: [UInt8] = [23, 3, 3, 0, 40] + [UInt8](repeating: 7, count: 40)
            _ = try pair.client.sendRaw(record, from: 0)
            let (_, last) = await stage.readAll(pair.server)
            guard case .failed(.protocolBroken) = last else {
                Issue.record("\(last)")
                return
            }
            #expect(pair.server.securityFailure?.kind == .brokenRecord)
            #expect(pair.server.isBroken)
        }
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `is taken up again`(version: TLSVersion) async throws {
        try await TLSStage.run { stage in
            let server = try TLSServer.test()
            let client = try TLSClient.test { $0.versionMin = version }
            var wasResumed: [Bool] = []
            for _ in 0..<3 {
                let pair = try await stage.pair(server, client)
                wasResumed.append(try pair.clientEnd.get().isResumed)
                #expect(try pair.serverEnd.get().isResumed == wasResumed.last)
                #expect(try pair.clientEnd.get().peerCertificate != nil)
                // The tickets come with the first bytes.
                pair.server.close()
                _ = await stage.readAll(pair.client)
                pair.client.close()
            }
            #expect(wasResumed == [false, true, true])
        }
    }

    @Test func `is not taken up again when that is not wanted`() async throws {
        try await TLSStage.run { stage in
            for isServers in [true, false] {
                let server = try TLSServer.test { $0.resumesSessions = !isServers }
                let client = try TLSClient.test { $0.resumesSessions = isServers }
                for _ in 0..<2 {
                    let pair = try await stage.pair(server, client)
                    #expect(try pair.clientEnd.get().isResumed == false)
                    pair.server.close()
                    _ = await stage.readAll(pair.client)
                    pair.client.close()
                }
            }
        }
    }

    @Test func `can be taken up again after the identities were replaced`() async throws {
        try await TLSStage.run { stage in
            let client = try TLSClient.test()
            var server = try TLSServer.test()
            for isResumed in [false, true] {
                let pair = try await stage.pair(server, client)
                #expect(try pair.clientEnd.get().isResumed == isResumed)
                pair.server.close()
                _ = await stage.readAll(pair.client)
                pair.client.close()
                server = try server.replacing([TestIdentity.localhost, TestIdentity.other])
            }
        }
    }
}
