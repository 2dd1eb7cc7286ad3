import Testing
import WharfHTTP
@testable import WharfServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct `A wrong password` {
    /// CPU time, the shortest of some tries: what others do on the machine only makes them longer.
    ///
    /// They take turns, so that all have the same of it.
    private func durations(
        _ names: [String], at authentication: BasicAuthentication
    ) throws -> [Duration] {
        let all = try names.map {
            try #require(BasicCredentials(userName: $0, password: "wrong"))
        }
        var shortest = [Duration](repeating: .seconds(60), count: names.count)
        for _ in 0..<10 {
            for (index, credentials) in all.enumerated() {
                let before = threadTime()
                _ = authentication.user(credentials)
                shortest[index] = min(shortest[index], threadTime() - before)
            }
        }
        return shortest
    }

    /// CPU time of the calling thread.
    private func threadTime() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test func `takes as long for one who is not known`() throws {
        var users = UserList(realm: "test")
        try users.add("stored", hash: .pbkdf2("p", iterationCount: 30_000))
        try users.add("from code", password: "p")
        let authentication = BasicAuthentication(users: users)
        let durations = try durations(["stored", "from code", "nobody"], at: authentication)
        let (least, most) = (durations.min() ?? .zero, durations.max() ?? .zero)
        #expect(least > .zero)
        #expect(most / least < 1.5, "\(durations)")
    }
}
