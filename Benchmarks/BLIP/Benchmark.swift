// A client that measures: `blip-benchmark echo|body|urgent|slow URL`, against conformance-server's `/blip`.
import WharfBLIP
import WharfBLIPEngine
import WharfNet

@main enum Benchmark {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 2 else {
            print("usage: blip-benchmark echo|body|urgent|slow URL")
            return
        }
        try await BLIPClient().withConnection(to: arguments[1]) { connection in
            switch arguments[0] {
            case "echo": try await measureEchoes(connection)
            case "body": try await measureBodies(connection)
            case "slow": try await readSlowly(connection)
            default: try await measureUrgent(connection)
            }
        }
    }

    private static func now() -> UInt64 { System.withoutLoop.now() }

    private static func seconds(since start: UInt64) -> Double {
        Double(now() &- start) / 1e9
    }

    /// Echoes of 100 bytes, one and a hundred at a time.
    static func measureEchoes(_ connection: BLIPConnection) async throws {
        let message = BLIPMessage(profile: "Echo", body: [UInt8](repeating: 7, count: 100))
        for (depth, count) in [(1, 5000), (100, 200_000)] {
            for _ in 0..<3 {
                let start = now()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<depth {
                        group.addTask {
                            for _ in 0..<(count / depth) {
                                let reply = try await connection.send(message)
                                guard reply.body.count == 100 else { throw Errno.invalidArgument }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                print("\(depth) deep: \(Int(Double(count) / seconds(since: start))) echoes/s")
            }
        }
    }

    /// Bodies of 64 MiB: one way, and back.
    static func measureBodies(_ connection: BLIPConnection) async throws {
        let body = [UInt8](repeating: 7, count: 64 << 20)
        for profile in ["Count", "Echo"] {
            for _ in 0..<3 {
                let start = now()
                let reply = try await connection.send(BLIPMessage(profile: profile, body: body))
                guard profile == "Count" ? reply["count"] == "\(body.count)" : reply.body == body
                else {
                    throw Errno.invalidArgument
                }
                let rate = Double(body.count) / 1e6 / seconds(since: start)
                print("64 MiB, \(profile): \(Int(rate)) MB/s")
            }
        }
    }

    /// 200 MiB, made as they are wanted, to somebody who takes his time.
    static func readSlowly(_ connection: BLIPConnection) async throws {
        let reply = try await connection.send(bulk("Sip"))
        print("\(reply["count"] == "\(200 << 20)" ? "200 MiB" : "another count") to a slow reader")
    }

    private static func bulk(_ profile: String) -> BLIPMessage {
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        return BLIPMessage(["Profile": profile]) { writer in
            for _ in 0..<200 { try await writer.write(piece) }
        }
    }

    /// Urgent echoes while 200 MiB are on their way.
    static func measureUrgent(_ connection: BLIPConnection) async throws {
        let upload = bulk("Drain")
        var message = BLIPMessage(profile: "Echo", body: [1])
        message.isUrgent = true
        async let bulk: BLIPReply = connection.send(upload)
        var times: [Double] = []
        for _ in 0..<200 {
            let start = now()
            _ = try await connection.send(message)
            times.append(seconds(since: start) * 1000)
        }
        let isUnderWay = await connection.statistics.receivedReplyCount == 200
        _ = try await bulk
        times.sort()
        print(
            "urgent echoes during 200 MiB: median \(times[100]) ms, p99 \(times[197]) ms"
                + (isUnderWay ? "" : " (it ended before)"))
    }
}
