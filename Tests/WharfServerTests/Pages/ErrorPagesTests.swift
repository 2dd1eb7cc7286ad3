import Foundation
import Testing
import WharfCrypto
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `What clients see of an error` {
    private struct Secret: Error {}

    private func answer(
        _ path: String, accept: String?, pages: ErrorPages = ErrorPages()
    ) async throws -> WireResponse {
        try await withServer {
            $0.errorPages = pages
        } routes: { router in
            router.get("/secret") { _ in throw Secret() }
            router.get("/login") { _ in
                throw HTTPError(
                    .unauthorized, reason: "because",
                    fields: [.wwwAuthenticate: "Basic", .vary: "Origin"])
            }
        } _: { server in
            let accept = accept.map { ["Accept: \($0)"] } ?? []
            return try await server.exchange(request("GET \(path)", accept))
        }
    }

    @Test(
        arguments: [
            (nil, "text/plain"), ("*/*", "text/plain"),
            ("text/plain, text/html;q=0.5", "text/plain"),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
            ("text/*", "text/plain"), ("application/json", "application/problem+json"),
            ("application/problem+json, application/json", "application/problem+json"),
            ("application/json, text/plain, */*", "application/problem+json"),
            ("text/html;q=0.1, application/json;q=0.2", "application/problem+json"),
            ("image/png", "text/plain"), ("", "text/plain"), ("text/html;q=0", "text/plain"),
        ] as [(String?, String)])
    func `has the type that they take`(_ accept: String?, _ type: String) async throws {
        let response = try await answer("/none", accept: accept)
        #expect(response.status == 404)
        #expect(response["Content-Type"]?.hasPrefix(type) ?? false)
        #expect(response["X-Content-Type-Options"] == "nosniff")
        #expect(response["Vary"] == "Accept")
        switch type {
        case "text/html":
            #expect(response.text.contains("<h1>Not Found</h1>"))
            let policy = try #require(response["Content-Security-Policy"])
            #expect(policy.contains("default-src 'none'") && policy.contains(ErrorPage.styleHash))
        case "text/plain": #expect(response.text == "404 Not Found\n")
        default: #expect(response.text == "{\"title\":\"Not Found\",\"status\":404}\n")
        }
    }

    @Test(arguments: ["text/html", "text/plain", "application/json"])
    func `says nothing of the inside`(_ accept: String) async throws {
        let response = try await answer("/secret", accept: accept)
        #expect(response.status == 500)
        #expect(!response.text.contains("Secret") && !response.text.contains("secret"))
        let login = try await answer("/login", accept: accept)
        #expect(!login.text.contains("because"))
        #expect(login["WWW-Authenticate"] == "Basic" && login["Vary"] == "Origin, Accept")
    }

    @Test func `may be a page of one's own`() async throws {
        var pages = ErrorPages()
        pages[.notFound] = .html("<p>gone", status: .ok)
        for (accept, isOwn) in [
            (nil, true), ("*/*", true), ("text/html", true), ("application/json", false),
            ("text/plain", false),
        ] as [(String?, Bool)] {
            let response = try await answer("/none", accept: accept, pages: pages)
            #expect(response.status == 404 && (response.text == "<p>gone") == isOwn)
            #expect(response["X-Content-Type-Options"] == "nosniff")
        }
        #expect(try await answer("/secret", accept: nil, pages: pages).status == 500)
        pages[.notFound] = nil
        #expect(try await answer("/none", accept: nil, pages: pages).text == "404 Not Found\n")
    }

    @Test func `may be whatever a closure answers`() async throws {
        try await withServer {
            $0.errorPages.answer = { status, request in
                guard status != .notFound else { return nil }
                return .html(
                    "<p>\(status.code) \(request?.method.rawValue ?? "none")", status: status)
            }
        } routes: { router in
            router.get("/fault", on: .pool) { _ in
                throw HTTPError(.conflict, fields: [.eTag: "\"1\"", .contentType: "text/x"])
            }
        } _: { server in
            let fault = try await server.exchange(request("GET /fault"))
            #expect(fault.text == "<p>409 GET" && fault.status == 409)
            #expect(fault["etag"] == "\"1\"" && fault["content-type"] == "text/x")
            #expect(try await server.exchange(request("GET /none")).text == "404 Not Found\n")
            let none = try await server.exchange("GET / HTTP/1.1\r\n\r\n")
            #expect(
                none.text == "<p>400 none" && none["content-type"] == "text/html; charset=utf-8")
        }
    }

    @Test func `can't be a stream for bytes that are no request`() async throws {
        try await withServer {
            $0.errorPages.answer = { _, _ in .stream { try await $0.write("never") } }
        } routes: { _ in
        } _: { server in
            let none = try await server.exchange("GET / HTTP/1.1\r\n\r\n")
            #expect(none.text == "" && none["content-length"] == "0")
        }
    }

    @Test func `keeps its page to the style that its policy names`() {
        let digest = Data(Hash.digest(.sha256, of: Array(ErrorPage.style.utf8)))
        #expect(ErrorPage.styleHash == "sha256-\(digest.base64EncodedString())")
    }

    @Test func `is valid whatever the phrase is`() {
        let status = HTTPResponse.Status(code: 499, reasonPhrase: "<b>\"\\")
        let html = ErrorPages().page(status, accept: "text/html")
        guard case .string(let page) = html.body.storage else { return #expect(Bool(false)) }
        #expect(page.contains("<h1>&lt;b&gt;&quot;\\</h1>"))
        let problem = ErrorPages().page(status, accept: "application/json")
        guard case .bytes(let json) = problem.body.storage else { return #expect(Bool(false)) }
        #expect((try? JSONSerialization.jsonObject(with: Data(json))) != nil)
    }
}
