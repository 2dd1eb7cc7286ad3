// Pages made of one template, with error pages that look like them: `TemplateSite [PORT]`.
import Wharf

let template = HTMLTemplate(
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <title>%title%</title>
    <h1>%title%</h1>
    %content%
    <p><a href="/">Home</a>
    """)

let names = ["Ada", "Grace", "<Bobby> & tables"]

let router = Router()
// What these pages hold is public, so it may be compressed.
router.group("/", AllowCompression()) { group in
    group.get("/") { _ in
        let items = names.map { "<li>\(HTMLTemplate.escape($0))\n" }.joined()
        return .html(template, ["title": "People", "content": .html("<ul>\n\(items)</ul>")])
    }
    group.get("/people/{number}") { request in
        let number = try request.parameters.require("number", as: Int.self)
        guard names.indices.contains(number) else { throw HTTPError(.notFound) }
        return .html(template, ["title": .text(names[number]), "content": "One of us."])
    }
}

let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8080
var configuration = HTTPServer.Configuration(port: port)
configuration.errorPages[.notFound] = .html(
    template, ["title": "Not here", "content": "Nobody by that name."])
let server = try HTTPServer(configuration, router: router)
print("Serving at http://\(server.addresses[0])/")
try server.runUntilTerminated()
