import TestSupport
import Testing
import WharfHTTP
import WharfHTTPClient
import WharfNet
@testable import WharfUploadClient

@Suite struct RetryTests {
    @Test func `waits double up to a bound`() {
        let options = UploadClient.Options()
        let delays = (1...9).map { Retry.delay($0, options) }
        #expect(
            delays
                == [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000].map {
                    .milliseconds($0)
                })
        // A network that is gone for a minute is waited for, whatever chance makes of it.
        #expect(delays.reduce(.zero, +) * 0.5 > .seconds(60))
    }

    @Test func `speed is that of the last seconds`() {
        var meter = SpeedMeter()
        for second in 0..<20 {
            meter.take(Int64(second) * 1000, at: UInt64(second) * 1_000_000_000)
        }
        #expect(abs(meter.bytesPerSecond - 1000) < 1)
        #expect(
            meter.time(for: 5000) == .seconds(5) || meter.time(for: 5000) == .milliseconds(4999))
        for second in 20..<60 { meter.take(19_000, at: UInt64(second) * 1_000_000_000) }
        #expect(meter.bytesPerSecond < 1)
        #expect(meter.time(for: 1) == nil)
        // A count that has gone back, as a body that is sent anew, is no negative speed.
        meter.take(0, at: 61_000_000_000)
        #expect(meter.bytesPerSecond >= 0)
    }

    @Test func `what is remembered is for its owner, bounded, and survives rubbish`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a/b/uploads.json"
        let client = try HTTPClient()
        let memory = UploadMemory(path, client)
        let url = try HTTPURL("http://h/up/1")
        try await memory.keep(url, for: "k")
        #expect(try await memory.url(for: "k") == url)
        #expect(try FileHandle.open(path).status().get().permissions == 0o600)
        for text in ["", "{", "[]", "{\"version\":2,\"uploads\":{}}", "{\"version\":1}", "\u{0}"] {
            #expect(UploadMemory.decode(Array(text.utf8)).isEmpty)
        }
        var many: [String: UploadMemory.Entry] = [:]
        for number in 0..<2000 {
            many["n\(number)"] = .init(url: "http://h/", time: client.unixTime - Int64(number))
        }
        many["old"] = .init(url: "http://h/", time: 0)
        let bytes = UploadMemory.encode(many)
        try StateFile.update(path, byteCountMax: 1 << 24) { _ in bytes }
        try await memory.keep(url, for: "k")
        let kept = UploadMemory.decode(try StateFile.read(path, byteCountMax: 1 << 24))
        #expect(kept.count == UploadMemory.countMax)
        #expect(kept["k"] != nil)
        #expect(kept["n0"] != nil)
        #expect(kept["old"] == nil)
        try await memory.forget("k")
        #expect(try await memory.url(for: "k") == nil)
    }

    @Test func `limits of the IETF's uploads are read, and wrong ones are none`() {
        let limits = UploadLimits(
            "max-size=10, min-size=0, max-append-size=5;x, other=?1, max-age=3")
        #expect(limits?.sizeMax == 10)
        #expect(limits?.appendSizeMax == 5)
        for text in ["max-size=a", "max-size=-1", "max-size", "max-size=1.5"] {
            #expect(UploadLimits(text) == nil)
        }
    }
}
