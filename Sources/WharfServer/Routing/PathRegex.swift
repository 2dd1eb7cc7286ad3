import WharfHTTP
import WharfNet

/// A regular expression for whole paths.
struct PathRegex: Sendable {
    // A regular expression is not Sendable: it may call closures. So one thread has it at a time.
    private let regex: Locked<Regex<AnyRegexOutput>>

    init<Output>(_ regex: sending Regex<Output>) {
        self.regex = Locked(Regex<AnyRegexOutput>(regex))
    }

    /// Adds what it captures in a path; `nil` if it does not fit.
    func match(_ path: RoutePath, _ parameters: Parameters) -> Parameters? {
        let text = path.segments.map { "/" + Self.protected($0) }.joined()
        return regex.withLock { regex in
            // It throws what the closures of an expression throw: they say that it does not fit.
            guard let match = try? regex.wholeMatch(in: text) else { return nil }
            var parameters = parameters
            for (number, capture) in match.output.enumerated().dropFirst() {
                guard let captured = capture.substring else { continue }
                let value = PercentEncoding.decodeText(captured) ?? String(captured)
                parameters.append("\(number)", value)
                if let name = capture.name { parameters.append(name, value) }
            }
            return parameters
        }
    }

    /// A segment in which no slash is found, and that says what it was.
    private static func protected(_ segment: Substring) -> String {
        String(segment.replacing("%", with: "%25").replacing("/", with: "%2F"))
    }
}
