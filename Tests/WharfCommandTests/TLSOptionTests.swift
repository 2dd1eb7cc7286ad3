import TestSupport
import Testing
import WharfNet
import WharfServer

@testable import WharfCommand

@Suite struct `The options of TLS` {
    @Test(
        arguments: [
            ([], TLSOptions()),
            (["--tls-self-signed"], TLSOptions(isSelfSigned: true)),
            (["--tls-cert", "a"], TLSOptions(certificateFile: "a")),
            (
                ["--tls-cert", "a", "--tls-key", "b"],
                TLSOptions(certificateFile: "a", keyFile: "b")
            ),
            (
                ["--tls-self-signed", "--no-webdav", "--state", "/s"],
                TLSOptions(isSelfSigned: true)
            ),
        ] as [([String], TLSOptions)])
    func `are understood`(arguments: [String], options: TLSOptions) throws {
        guard case .serve(let serve) = try Command(["serve"] + arguments) else {
            throw UsageError("no serve")
        }
        #expect(serve.tls == options)
    }

    @Test(arguments: [
        ["--tls-key", "b"], ["--tls-cert"], ["--tls-cert", "a", "--tls-self-signed"],
    ])
    func `are refused`(arguments: [String]) {
        #expect(throws: UsageError.self) { try Command(["serve"] + arguments) }
    }

    @Test func `make an identity that is kept, or read one`() throws {
        let folder = try TemporaryFolder()
        let state = folder.path + "/state"
        let kept = try #require(try TLSOptions(isSelfSigned: true).identity(stateFolder: state))
        let again = try TLSOptions(isSelfSigned: true).identity(stateFolder: state)
        #expect(again?.certificate == kept.certificate)
        let file = state + "/tls-self-signed.pem"
        for keyFile in [nil, file] {
            let options = TLSOptions(certificateFile: file, keyFile: keyFile)
            #expect(try options.identity(stateFolder: nil)?.certificate == kept.certificate)
        }
        let none = try TLSOptions().identity(stateFolder: state)
        #expect(none?.certificate == nil)
    }

    @Test(arguments: ["/nothing/here", "/etc/os-release", "/dev/zero"])
    func `say what is wrong with a file`(file: String) throws {
        do throws(Failure) {
            _ = try TLSOptions(certificateFile: file).identity(stateFolder: nil)
            Issue.record("it was taken")
        } catch {
            #expect(error.reason.hasPrefix("can't use \(file): "))
        }
    }

    @Test func `make the URLs ones of https`() throws {
        var configuration = HTTPServer.Configuration(port: 0)
        configuration.tls = TLSServerConfiguration(
            identity: try TLSIdentity.selfSigned(hosts: ["localhost"]))
        let server = try HTTPServer(configuration, router: Router())
        let urls = server.endpoints.map(\.url)
        #expect(!urls.isEmpty)
        #expect(urls.filter { !$0.hasPrefix("https://") } == [])
    }
}
