import Testing

@testable import WharfHTTP

@Suite struct `A QR code` {
    @Test(arguments: [
        (0, 21), (14, 21), (15, 25), (26, 25), (27, 29), (42, 29), (43, 33), (62, 33), (63, 37),
        (84, 37), (85, 41), (106, 41), (107, 45), (122, 45), (123, 49), (152, 49), (153, 53),
        (180, 53), (181, 57), (213, 57),
    ])
    func `is as small as can be`(byteCount: Int, size: Int) throws {
        let code = try #require(QRCode(String(repeating: "a", count: byteCount)))
        #expect(code.size == size)
    }

    @Test func `holds 213 bytes and no more`() {
        #expect(QRCode(String(repeating: "a", count: 214)) == nil)
        // Bytes are counted, not characters.
        #expect(QRCode(String(repeating: "é", count: 107)) == nil)
        #expect(QRCode(String(repeating: "é", count: 106)) != nil)
    }

    @Test func `corrects errors as the standard's example does`() {
        // ISO/IEC 18004, annex I: "01234567", version 1-M.
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
            0xEC, 0x11,
        ]
        #expect(
            QRCodewords.correction(data, 10)
                == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
    }

    @Test(arguments: [0, 50, 100, 150, 213])
    func `has its patterns where cameras look for them`(byteCount: Int) throws {
        let code = try #require(QRCode(String(repeating: "u", count: byteCount)))
        let finder = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"]
        for (left, top) in [(0, 0), (code.size - 7, 0), (0, code.size - 7)] {
            let rows = (0..<7).map { y in
                String((0..<7).map { code.isDark(left + $0, top + y) ? "#" : " " })
            }
            #expect(rows == finder)
        }
        for index in 8..<(code.size - 8) {
            #expect(code.isDark(index, 6) == (index % 2 == 0))
            #expect(code.isDark(6, index) == (index % 2 == 0))
        }
        #expect(code.isDark(8, code.size - 8))
        #expect(!code.isDark(-1, 0) && !code.isDark(0, code.size))
    }

    @Test func `is the same as another encoder's, but for the choice of the mask`() throws {
        // `qrencode -8 -l M -v 1`. What zbar reads is in Conformance/discovery.py.
        let version = try #require(QRVersion.smallest(for: 5))
        let plain = QRMatrix(version, QRCodewords.make(Array("HELLO".utf8), version))
        let codes = (0..<8).map { mask in
            let matrix = plain.masked(by: mask)
            return (0..<21).map { y in
                String((0..<21).map { matrix.isDark($0, y) ? "#" : "." })
            }
        }
        #expect(codes.count { $0 == Self.hello } == 1)
    }

    private static let hello = [
        "#######.#..#..#######",
        "#.....#.####..#.....#",
        "#.###.#...#.#.#.###.#",
        "#.###.#.#.#.#.#.###.#",
        "#.###.#....#..#.###.#",
        "#.....#....##.#.....#",
        "#######.#.#.#.#######",
        "........#..##........",
        "#.##.###.#.##.#..#.##",
        ".##.##.#.######..##..",
        "#...#.#..#.#.......##",
        "#.##...#...#..####.#.",
        ".#.######...#..#..#.#",
        "........####..#...#.#",
        "#######.#..##..#.....",
        "#.....#.#.#....#####.",
        "#.###.#.....######.##",
        "#.###.#.#.##..#.####.",
        "#.###.#.##..#.##..#..",
        "#.....#...#..#.##...#",
        "#######.#.#..#.#.....",
    ]

    @Test func `is a path of its dark modules`() throws {
        let code = try #require(QRCode("http://192.168.1.2:8080/"))
        var painted = Set<[Int]>()
        for part in code.svgPath.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
            let (x, y, width) = try (
                #require(Int(part.1)), #require(Int(part.2)), #require(Int(part.3))
            )
            #expect(part.3 == part.4)
            for step in 0..<width { painted.insert([x + step, y]) }
        }
        for y in 0..<code.size {
            for x in 0..<code.size {
                #expect(painted.contains([x, y]) == code.isDark(x, y))
            }
        }
    }
}
