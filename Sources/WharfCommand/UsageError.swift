/// A command line that can't be understood, and why.
struct UsageError: Error, Equatable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
