import Testing
import WharfCrypto
import WharfHTTP

/// Bodies of browsers and libraries of thirty years, and of other projects' tests.
@Suite struct MultipartCorpusTests {
    private static func parts(_ form: ParsedForm) -> [MultipartCase.Part] {
        form.parts.map { part in
            let digest = Hash.digest(.sha256, of: part.data)
            return MultipartCase.Part(
                name: part.name, filename: part.fileName, size: part.data.count,
                sha256: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
    }

    /// Old Internet Explorers send the path of a file; the others cut it here, we do so later.
    private static func cutting(_ part: MultipartCase.Part) -> MultipartCase.Part {
        guard let path = part.filename, path.dropFirst().hasPrefix(":\\") else { return part }
        return MultipartCase.Part(
            name: part.name, filename: path.split(separator: "\\").last.map { String($0) },
            size: part.size, sha256: part.sha256)
    }

    /// What the parser makes of a case, from its Content-Type on.
    private static func parse(
        _ one: MultipartCase, cuts: some Sequence<Int> = [], feeding: Feeding = .pieces
    ) -> ParsedForm {
        do throws(MultipartError) {
            let boundary = try MultipartBoundary(contentType: one.contentType)
            return parseForm(one.body, boundary: boundary.text, cuts: cuts, feeding: feeding)
        } catch {
            return ParsedForm(end: .refused(error))
        }
    }

    @Test func `what all servers agree on is read as they do`() throws {
        guard let cases = try MultipartCase.all() else { return }
        let agreed = cases.filter(\.isAgreed)
        #expect(agreed.count == 88)
        for one in agreed {
            let form = Self.parse(one)
            #expect(form.isFinished, "\(one.id): \(form.end)")
            #expect(Self.parts(form).map(Self.cutting) == one.faithful, "\(one.id)")
        }
    }

    @Test(arguments: [1, 2, 3, 7, 65536], Feeding.allCases)
    func `where bodies are cut does not matter`(size: Int, feeding: Feeding) throws {
        guard let cases = try MultipartCase.all() else { return }
        for one in cases {
            // One body is of two megabytes.
            let cuts = cuts(every: one.body.count > 100_000 ? max(size, 1021) : size, of: one.body)
            #expect(
                Self.parse(one, cuts: cuts, feeding: feeding) == Self.parse(one), "\(one.id)")
        }
    }

    @Test(arguments: 0..<4)
    func `where bodies are cut at random does not matter`(seed: UInt64) throws {
        guard let cases = try MultipartCase.all() else { return }
        var generator = SeededGenerator(seed: seed)
        for one in cases {
            let cuts = (0..<8).map { _ in Int.random(in: 0...one.body.count, using: &generator) }
            #expect(
                Self.parse(one, cuts: cuts.sorted()) == Self.parse(one), "\(one.id) cut at \(cuts)")
        }
    }

    @Test func `where servers disagree each body has a decision`() throws {
        guard let cases = try MultipartCase.all() else { return }
        let disputed = cases.filter { !$0.isAgreed }
        #expect(Decision.all.count == 70)
        #expect(Set(Decision.all.map(\.id)) == Set(disputed.map(\.id)))
        for one in disputed {
            let decision = try #require(Decision.all.first { $0.id == one.id })
            let form = Self.parse(one)
            let parts = Self.parts(form)
            let comment = Comment(rawValue: "\(one.id): \(decision.reason)")
            switch decision.verdict {
            case .refused(let status): #expect(form.status == status, comment)
            case .meant:
                #expect(form.isFinished, comment)
                #expect(parts == one.faithful, comment)
            case .named(let names):
                #expect(form.isFinished, comment)
                #expect(parts.map(\.name) == names.map(\.name), comment)
                #expect(parts.map(\.filename) == names.map(\.fileName), comment)
                #expect(parts.map(\.size) == names.map(\.size), comment)
                // The data is what all others see, if it is of the same size.
                for (part, other) in zip(parts, one.expected) where part.size == other.size {
                    #expect(part.sha256 == other.sha256, comment)
                }
            }
        }
    }
}
