import Testing
import WharfBLIPEngine

@Suite struct `Frames that were captured from other implementations` {
    private func skip(_ name: String) { print("skipped: no data (\(name))") }

    /// Decodes the frames of one direction; those that go uncompressed have to be written the same.
    private func replay(_ frames: [CapturedFrame], _ version: BLIPVersion) throws -> Int {
        var decoder = BLIPFrameDecoder(version)
        var encoder = BLIPFrameEncoder(version)
        // The encoder's checksum has to go the same way, so it is given every payload.
        for captured in frames {
            let frame = try decoder.decode(captured.bytes)
            if let number = captured.number { #expect(frame.head.number == number) }
            if let payload = captured.payload, payload.count == frame.payload.count {
                #expect(frame.payload == payload)
            }
            let written = try encoder.encode(frame.head, frame.payload.span).bytes
            let isPacked = version == .v3 && frame.head.flags.contains(.compressed)
            if isPacked {
                // zlib need not choose what the peer did; the checksum is the same.
                let isAcknowledgement = frame.head.kind == .acknowledgeRequest
                #expect(isAcknowledgement || written.suffix(4) == captured.bytes.suffix(4))
            } else {
                #expect(written == captured.bytes)
            }
        }
        return frames.count
    }

    @Test(arguments: [("go-blip3-c2s.bin", 154), ("go-blip3-s2c.bin", 29)])
    func `of BLIP 3, a whole connection`(name: String, count: Int) throws {
        guard let frames = try Capture.binary(name) else { return skip(name) }
        #expect(try replay(frames, .v3) == count)
    }

    @Test(arguments: [
        ("go-blip3.jsonl", BLIPVersion.v3), ("litecore-litecore.jsonl", .v3),
        ("litecore-to-go.jsonl", .v3), ("go-blip2.jsonl", .v2),
    ])
    func `of both ends, as far as they were written down`(
        name: String, version: BLIPVersion
    ) throws {
        guard let frames = try Capture.lines(name) else { return skip(name) }
        var replayed = 0
        for direction in ["c2s", "s2c"] {
            let sent = frames.filter { $0.direction == direction }
            // A checksum goes on over what was left out, and so can't be followed any further.
            let known = version == .v3 ? Array(sent.prefix { $0.isWhole }) : sent.filter(\.isWhole)
            replayed += try replay(known, version)
        }
        #expect(replayed >= 19)
    }

    @Test(arguments: [("zlib-blip3.json", BLIPVersion.v3), ("blip2-from-source.json", .v2)])
    func `made by hand`(name: String, version: BLIPVersion) throws {
        guard let frames = try Capture.list(name) else { return skip(name) }
        #expect(try replay(frames, version) == frames.count && !frames.isEmpty)
    }

    @Test func `of BLIP 1.1`() throws {
        guard let frames = try Capture.texts("blip1-python.txt") else { return skip("blip1") }
        #expect(try replay(frames.filter(\.isWhole), .v1) > 40)
        for frame in frames.filter(\.isWhole) {
            #expect(try BLIP1Head.frameSize(frame.bytes.span) == frame.bytes.count)
            for count in 0..<BLIP1Head.byteCount {
                let beginning = Array(frame.bytes.prefix(count))
                #expect(try BLIP1Head.frameSize(beginning.span) == nil)
            }
        }
    }

    @Test func `and their messages are put together`() throws {
        guard let frames = try Capture.binary("go-blip3-c2s.bin") else { return skip("go-blip3") }
        let engine = End(.v3)
        var profiles: [String] = []
        var ended = 0
        // The acknowledgements are of replies that this end never sent; it passes them over.
        for frame in frames {
            for event in try engine.receive(frame.bytes) {
                switch event {
                case .began(_, let head): profiles.append(head.properties["Profile"] ?? "")
                case .ended: ended += 1
                default: break
                }
            }
        }
        #expect(ended == profiles.count && ended >= 20)
        #expect(profiles.contains("Echo"))
    }
}
