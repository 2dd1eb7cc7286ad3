import Testing
import WharfNet
import WharfServer

@testable import WharfCommand

@Suite struct `Options of being found` {
    private func serve(_ arguments: [String]) throws -> ServeOptions {
        guard case .serve(let options) = try Command(["serve"] + arguments) else {
            throw UsageError("no serve")
        }
        return options
    }

    @Test func `a range of ports is the first and the others`() throws {
        let range = try serve(["--port", "8080-8083"])
        #expect(range.port == 8080 && range.otherPorts == [8081, 8082, 8083])
        #expect(range.configuration.otherPorts == [8081, 8082, 8083])
        let one = try serve(["--port", "9000-9000"])
        #expect(one.port == 9000 && one.otherPorts.isEmpty)
        #expect(try serve(["-p", "0"]).otherPorts.isEmpty)
    }

    @Test(arguments: ["8083-8080", "0-10", "8080-", "-8080", "1-2-3", "8080-65536", "a-b"])
    func `what is no range is wrong usage`(text: String) {
        #expect(throws: UsageError.self) { try serve(["--port=\(text)"]) }
    }

    @Test func `an interface stands for its addresses`() throws {
        let name = try #require(
            NetworkInterfaces.addresses.first { $0.address == .loopback(port: 0) }?.interface.name)
        let addresses = try serve(["--bind", name, "--port", "81"]).addresses
        #expect(addresses.contains(.loopback(port: 81)))
        #expect(addresses.allSatisfy { $0.isLoopback && $0.port == 81 })
        #expect(throws: UsageError.self) { try serve(["--bind", "none0"]) }
    }

    @Test func `a name is announced for browsers, and as a drive where it is one`() throws {
        let drive = try serve(["--bonjour", "Shelf"]).configuration.bonjour
        #expect(drive.map(\.type) == ["_http._tcp", "_webdav._tcp"])
        #expect(drive.allSatisfy { $0.name == "Shelf" && $0.text == ["path": "/"] })
        let secure = try serve(["--bonjour", "Shelf", "--tls-self-signed"]).configuration.bonjour
        #expect(secure.map(\.type) == ["_https._tcp", "_webdavs._tcp"])
        let page = try serve(["--bonjour", "", "--no-webdav"]).configuration.bonjour
        #expect(page.map(\.type) == ["_http._tcp"] && page[0].name.isEmpty)
        #expect(try serve([]).configuration.bonjour.isEmpty)
        let long = String(repeating: "a", count: 64)
        #expect(throws: UsageError.self) { try serve(["--bonjour", long]) }
    }

    @Test func `the router is asked only where it is wanted`() throws {
        #expect(try serve(["--nat", "--lan"]).configuration.mapsPort)
        #expect(try !serve(["--lan"]).configuration.mapsPort)
    }

    @Test func `a QR code is drawn in rows of two, with its margin`() throws {
        let text = try #require(QRText.lines("http://192.168.1.2:8080/"))
        let lines = text.split(separator: "\n")
        // Version 2: 25 modules and 8 of margin.
        #expect(lines.count == 17)
        let modules = lines.map { line in line.filter { "█▀▄ ".contains($0) } }
        #expect(modules.allSatisfy { $0.count == 33 })
        #expect(modules[0].allSatisfy { $0 == " " } && modules[1].allSatisfy { $0 == " " })
        // The upper left finder.
        #expect(modules[2].dropFirst(4).hasPrefix("█▀▀▀▀▀█"))
        #expect(QRText.lines(String(repeating: "a", count: 214)) == nil)
    }
}
