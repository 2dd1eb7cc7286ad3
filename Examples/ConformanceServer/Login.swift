import Wharf

/// Paths that need a login: user `u`, password `p`.
func addLogins(to router: Router) throws {
    var users = UserList(realm: "Conformance")
    try users.add("u", password: "p")
    // The suites log in wrongly on purpose, from one address.
    var options = Authentication.Options()
    options.failuresPerAddressMax = 1_000_000
    options.failuresPerUserMax = 1_000_000
    let basic = BasicAuthentication(users: users)
    let schemes: [(String, [any Authenticator])] = [
        ("/login/basic", [basic]),
        ("/login/digest", [DigestAuthentication(users: users)]),
        ("/login/digest-md5", [DigestAuthentication(users: users, algorithms: [.md5])]),
        // For clients that wait between two requests: the nonce is out of date then.
        (
            "/login/digest-short",
            [DigestAuthentication(users: users, nonceLifetime: .milliseconds(300))]
        ),
        ("/login/both", [DigestAuthentication(users: users), basic]),
    ]
    // What a login costs beside `/plaintext`.
    router.group("/login/plaintext", Authentication([basic], options: options)) { guarded in
        guarded.get("", .inline { _ in .text("Hello, World!") })
    }
    for (path, authenticators) in schemes {
        let authentication = Authentication(authenticators, options: options)
        router.on(nil, path, on: .loop) { request in
            let request = try await authentication.authenticate(request)
            let body = try await request.body.collect(upTo: 1024 * 1024)
            let name = request.user?.name ?? "nobody"
            return .text("\(request.method) by \(name), \(body.count) bytes\n")
        }
    }
}
