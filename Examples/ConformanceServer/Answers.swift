import Wharf

/// Paths that try out kinds of answers.
func addAnswers(to router: Router) {
    // Three events and, with `?forever`, comments until the client leaves.
    router.get("/events") { request in
        .eventStream(heartbeat: .seconds(1)) { events in
            var number = request.lastEventID.flatMap { Int($0) } ?? 0
            for _ in 0..<3 {
                number &+= 1
                try await events.send("event \(number)\nof three", event: "step", id: "\(number)")
            }
            if request.query == "forever" { try await Task.sleep(for: .seconds(86_400)) }
        }
    }
    router.get("/redirect") { request in
        let fields = URLEncodedForm(parsing: request.query ?? "")
        guard let place = fields?["to"], let code = Int(fields?["status"] ?? "303"),
            let redirection = Redirection(rawValue: code)
        else { throw HTTPError(.badRequest, reason: "no ?to= or no status that redirects") }
        return .redirect(to: place, redirection)
    }
    router.get("/compressed") { _ in
        .text(String(repeating: "Hello, World! ", count: 1000)).compressed()
    }
    router.get("/cookies") { _ in
        try .text("two cookies\n").setting(SetCookie("a", "1"))
            .setting(SetCookie("b", "2", maxAge: .seconds(60)))
    }
}
