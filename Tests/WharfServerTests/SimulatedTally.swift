/// What simulated clients have had from a server, to say how much was tried.
struct SimulatedTally {
    /// Nanoseconds during which the server took connections.
    var time: UInt64 = 0
    var clientCount = 0
    /// Answers that came whole and were right.
    var answerCount = 0
    /// Connections that ended without the answer, and answers that tell of a fault.
    var cutCount = 0

    static func += (left: inout SimulatedTally, right: SimulatedTally) {
        left.time += right.time
        left.clientCount += right.clientCount
        left.answerCount += right.answerCount
        left.cutCount += right.cutCount
    }

    /// So much that the server took connections, in hours.
    var hours: Double { Double(time) / 3.6e12 }
}

extension SimulatedTally: CustomStringConvertible {
    var description: String {
        let tenths = Int(hours * 10)
        return "\(tenths / 10).\(tenths % 10) hours, \(clientCount) clients, "
            + "\(answerCount) right answers, \(cutCount) cut"
    }
}
