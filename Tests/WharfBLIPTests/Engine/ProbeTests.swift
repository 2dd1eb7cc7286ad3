import Testing
import WharfBLIPEngine
import WharfHTTP

/// What frames of a hostile or careless peer come to: a table, by version.
@Suite struct `A frame that is not as it should be` {
    /// What happened, in a few words: the profiles that were heard, or the fault.
    private func outcome(
        _ frames: [[UInt8]], _ version: BLIPVersion = .v3, limits: BLIPLimits = BLIPLimits()
    ) -> String {
        let engine = End(version, limits: limits)
        var words: [String] = []
        do throws(BLIPFault) {
            for frame in frames {
                for event in try engine.receive(frame) {
                    switch event {
                    case .began(_, let head): words.append(head.properties["Profile"] ?? "-")
                    case .body(_, let bytes): words.append("\(bytes.count)")
                    case .ended: break
                    case .failed(_, let failure): words.append("\(failure)")
                    case .ignored: words.append("ignored")
                    }
                }
            }
        } catch {
            words.append("closed \(error.closeCode) \(error.kind)")
        }
        return words.joined(separator: " ")
    }

    /// Frames with a running checksum.
    private struct Writer {
        private var checksum: UInt32 = 0

        mutating func frame(
            _ number: [UInt8], _ flags: [UInt8], _ payload: [UInt8]
        ) -> [UInt8] {
            checksum = CRC32.update(checksum, with: payload.span)
            let tail = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
            return number + flags + payload + tail
        }

        mutating func echo(_ number: UInt8 = 1, _ body: String = "alive") -> [UInt8] {
            frame([number], [0], properties("Profile", "Echo") + utf8(body))
        }
    }

    private static func properties(_ texts: String...) -> [UInt8] {
        let bytes = texts.flatMap { utf8($0) + [0 as UInt8] } as [UInt8]
        return [UInt8(bytes.count)] + bytes
    }

    @Test(arguments: [
        ([] as [UInt8], "closed 1002 malformedFrame"), ([1], "closed 1002 malformedFrame"),
        ([1, 0, 0], "closed 1002 malformedFrame"),
        ([1, 0, 0, 0, 0], "closed 1002 malformedFrame"),
        ([0x80, 0x80], "closed 1002 malformedFrame"),
        ([UInt8](repeating: 0x80, count: 10) + [1, 0], "closed 1002 malformedFrame"),
        ([1, 0, 0, 1, 2, 3, 4], "closed 1002 wrongChecksum"),
        ([1, 3], "closed 1002 unknownType"), ([1, 6], "closed 1002 unknownType"),
        ([1, 7, 0, 0, 0, 0], "closed 1002 unknownType"),
    ])
    func `ends a connection of BLIP 3`(frame: [UInt8], expected: String) {
        #expect(outcome([frame]) == expected)
    }

    @Test func `has a number that is not the next one`() {
        for number: [UInt8] in [[0], [2], [0x81, 0x80, 0x80, 0x80, 0x10]] {
            var writer = Writer()
            #expect(outcome([writer.frame(number, [0], [0])]) == "closed 1002 wrongNumber")
        }
        var writer = Writer()
        let twice = [writer.echo(), writer.echo()]
        #expect(outcome(twice) == "Echo 5 closed 1002 wrongNumber")
        var other = Writer()
        #expect(outcome([other.frame([1], [1], [0])]) == "closed 1002 replyToNothing")
    }

    @Test func `is taken although it is written at length, or has flags that mean nothing`() {
        let payload = Self.properties("Profile", "Echo") + utf8("nm")
        for flags: [UInt8] in [[0x80, 0x00], [0x80, 0x01], [0x80, 0x02]] {
            var writer = Writer()
            #expect(outcome([writer.frame([0x81, 0x00], flags, payload)]) == "Echo 2")
        }
    }

    @Test func `acknowledges what is not there, or says no count`() {
        var writer = Writer()
        for frame: [UInt8] in [[9, 0x34, 1], [9, 0x34], [9, 0x35, 0x80]] {
            #expect(outcome([frame]) == "")
        }
        #expect(outcome([[9, 0x34, 1], writer.echo()]) == "Echo 5")
    }

    @Test(arguments: [
        ([200, 65, 0] as [UInt8], "malformedProperties"), ([1, 65], "malformedProperties"),
        ([2, 65, 0], "malformedProperties"), ([], "malformedProperties"),
        ([5, 65, 0, 0xFF, 0xFE, 0], "malformedProperties"),
        ([UInt8](repeating: 0x80, count: 10), "malformedProperties"),
        ([0xFF, 0xFF, 0xFF, 0xFF, 0x0F], "tooLong"), ([0x81, 0xA0, 0x06], "tooLong"),
    ])
    func `fails its message and no other`(payload: [UInt8], expected: String) throws {
        for version in [BLIPVersion.v2, .v3] {
            var writer = Writer()
            let bad = version == .v3 ? writer.frame([1], [0], payload) : [1, 0] + payload
            let good = version == .v3 ? writer.echo(2) : [2, 0, 7, 1, 0] + utf8("Echo\u{0}alive")
            let engine = End(version)
            #expect(try engine.receive(bad).count == 1)
            #expect(outcome([bad, good], version) == "\(expected) Echo 5")
            // Its sender is told.
            let reply = try #require(try engine.nextFrame())
            #expect(reply[0] == 1 && reply[1] == 2)
            #expect(reply.contains(utf8("400")))
        }
    }

    @Test func `has a name twice, of which the first value counts`() {
        var writer = Writer()
        let payload = Self.properties("Profile", "Echo", "Profile", "Other")
        #expect(outcome([writer.frame([1], [0], payload)]) == "Echo")
    }

    @Test func `has a token of BLIP 2`() {
        var writer = Writer()
        let payload: [UInt8] = [7, 1, 0] + utf8("Echo\u{0}")
        #expect(outcome([writer.frame([1], [0], payload)]) == "-")
        #expect(outcome([[1, 0] + payload], .v2) == "Echo")
        #expect(outcome([[1, 0, 3, 15, 0, 0]], .v2) == "malformedProperties")
        #expect(outcome([[1, 7], [1, 0] + payload], .v2) == "ignored Echo")
    }

    @Test func `is one of many that hold one byte, or nothing`() {
        let payload = Self.properties("Profile", "Echo") + utf8("split")
        var writer = Writer()
        var frames = [writer.frame([1], [0x40], [])]
        for byte in payload { frames.append(writer.frame([1], [0x40], [byte])) }
        frames.append(writer.frame([1], [0], []))
        #expect(outcome(frames) == "Echo 1 1 1 1 1")
    }

    @Test func `lies between those of another message`() {
        var writer = Writer()
        let start = Self.properties("Profile", "Echo")
        let frames = [
            writer.frame([1], [0x40], start + utf8("A")), writer.frame([2], [0x40], start),
            writer.frame([1], [0], utf8("a")), writer.frame([2], [0], utf8("Bb")),
        ]
        #expect(outcome(frames) == "Echo 1 Echo 1 2")
    }

    @Test func `is compressed and empty, or no deflate, or a bomb`() {
        var writer = Writer()
        let empty = [
            writer.frame([1], [0x40], Self.properties("Profile", "Echo")),
            writer.frame([1], [0x08], []), writer.echo(2),
        ]
        #expect(outcome(empty) == "Echo Echo 5")
        var garbage = Writer()
        #expect(
            outcome([garbage.frame([1], [0x08], [0xFF, 0xFF, 0xFF])])
                == "closed 1002 malformedCompression")
        var limits = BLIPLimits()
        limits.frameMax = 10_000
        var encoder = BLIPFrameEncoder(.v3)
        let bomb = [UInt8](repeating: 0, count: 10_001)
        let head = BLIPFrameHead(.request, number: 1, flags: .compressed)
        let packed = try? encoder.encode(head, bomb.span).bytes
        #expect(outcome([packed ?? []], limits: limits) == "closed 1009 tooMuch")
        #expect(outcome([packed ?? []]) != "closed 1009 tooMuch")
    }

    @Test func `opens more messages than may be open`() {
        var limits = BLIPLimits()
        limits.incomingMax = 2
        let frames = (1...3).map { [UInt8($0), 0x40, 0] as [UInt8] }
        #expect(outcome(frames, .v2, limits: limits) == "- - closed 1009 tooMuch")
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
