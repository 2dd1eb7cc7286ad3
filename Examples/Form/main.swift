// A form and what becomes of it: `Form [PORT]`.
import Wharf

let page = HTMLTemplate(
    """
    <!doctype html>
    <title>Guest book</title>
    <h1>Guest book</h1>
    %greeting%
    <form method="post">
    <input name="name" value="%name%" required> <button>Sign</button>
    </form>
    """)

let router = Router()
router.get("/") { request in
    // The name comes from outside: a template escapes it.
    let name = request.cookies["name"].flatMap { PercentEncoding.decodeText($0) } ?? ""
    let greeting: HTMLTemplate.Value = name.isEmpty ? "" : .html("<p>You have signed.")
    return .html(page, ["name": .text(name), "greeting": greeting])
}
router.post("/") { request in
    guard let name = try await request.form()["name"], !name.isEmpty else {
        throw HTTPError(.badRequest, reason: "no name")
    }
    let value = PercentEncoding.encode(name, for: .query)
    return .redirect(to: "/").setting(try SetCookie("name", value, maxAge: .seconds(3600)))
}

let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8080
let server = try HTTPServer(.init(port: port), router: router)
print("Serving at http://\(server.addresses[0])/")
try server.runUntilTerminated()
