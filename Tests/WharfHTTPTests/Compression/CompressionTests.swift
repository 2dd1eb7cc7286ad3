import Testing
import WharfHTTP

@Suite struct CompressionTests {
    private func deflate(
        _ input: [UInt8], _ format: CompressionFormat, pieces: Int = 1000, outputMax: Int = 100,
        flush: Deflater.Flush = .finish
    ) throws -> [UInt8] {
        var deflater = try Deflater(format)
        var output: [UInt8] = []
        var index = 0
        while true {
            let end = min(input.count, index + pieces)
            let mode = end == input.count ? flush : .none
            let before = output.count
            let step = try deflater.deflate(
                input[index..<end].span, flush: mode, outputMax: outputMax, to: &output)
            #expect(step.produced <= outputMax && output.count - before == step.produced)
            index += step.consumed
            if step.isComplete, index == input.count { return output }
        }
    }

    private func inflate(
        _ input: [UInt8], _ format: CompressionFormat, totalMax: Int64 = 1 << 20,
        outputMax: Int = 100
    ) throws -> (data: [UInt8], isFinished: Bool, consumed: Int) {
        var inflater = try Inflater(format, totalMax: totalMax)
        var output: [UInt8] = []
        var index = 0
        while true {
            let end = min(input.count, index + 50)
            let step = try inflater.inflate(
                input[index..<end].span, outputMax: outputMax, to: &output)
            #expect(step.produced <= outputMax)
            index += step.consumed
            if inflater.isFinished || (step.isComplete && index == input.count) {
                return (output, inflater.isFinished, index)
            }
        }
    }

    private var sample: [UInt8] {
        var generator = SeededGenerator(seed: 9)
        return (0..<20_000).map { _ in UInt8.random(in: 0..<20, using: &generator) }
    }

    @Test(arguments: [CompressionFormat.raw, .zlib, .gzip])
    func `what was compressed is decompressed again`(format: CompressionFormat) throws {
        for data in [[], [1], sample] {
            let result = try inflate(deflate(data, format) + [7, 7], format)
            #expect(result.data == data)
            #expect(result.isFinished)
            #expect(result.consumed == (try deflate(data, format)).count)
        }
    }

    @Test func `a sync flush lets the peer read everything so far`() throws {
        let flushed = try deflate(sample, .raw, flush: .sync)
        #expect(flushed.suffix(4) == [0, 0, 0xFF, 0xFF])
        let result = try inflate(flushed, .raw)
        #expect(result.data == sample)
        #expect(!result.isFinished)
    }

    @Test func `decompressing stops at its limit`() throws {
        let bomb = try deflate([UInt8](repeating: 0, count: 1 << 20), .gzip, outputMax: 1 << 16)
        #expect(bomb.count < 2000)
        #expect(try inflate(bomb, .gzip, totalMax: 1 << 20, outputMax: 4096).isFinished)
        #expect(throws: CompressionError.self) {
            try inflate(bomb, .gzip, totalMax: (1 << 20) - 1, outputMax: 4096)
        }
        #expect(throws: CompressionError.self) { try inflate(bomb, .gzip, totalMax: 0) }
    }

    @Test func `malformed data is refused and cut data is unfinished`() throws {
        let good = try deflate(sample, .gzip)
        #expect(throws: CompressionError.self) { try inflate([1, 2, 3, 4], .gzip) }
        var bad = good
        bad[good.count - 5] ^= 1
        #expect(throws: CompressionError.self) { try inflate(bad, .gzip) }
        #expect(try !inflate(Array(good.dropLast()), .gzip).isFinished)
    }

    @Test func `flipped bytes never trap`() throws {
        var generator = SeededGenerator(seed: 11)
        let good = try deflate(Array(sample.prefix(500)), .zlib)
        for _ in 0..<2000 {
            var bad = good
            let index = Int.random(in: 0..<bad.count, using: &generator)
            bad[index] = UInt8.random(in: 0...255, using: &generator)
            _ = try? inflate(bad, .zlib, totalMax: 10_000)
        }
    }

    @Test func `a stream that was reset starts over`() throws {
        var deflater = try Deflater(.raw)
        var first: [UInt8] = []
        var second: [UInt8] = []
        let data = bytes("hello hello hello")
        _ = try deflater.deflate(data.span, flush: .sync, to: &first)
        deflater.reset()
        _ = try deflater.deflate(data.span, flush: .sync, to: &second)
        #expect(first == second)
    }
}
