import Testing
import WharfNet
import WharfTesting

@testable import WharfServer

@Suite struct `The rules of suspension` {
    private func steps(
        _ inputs: [SuspensionRules.Input], suspends: Bool = true
    ) -> [SuspensionRules.Step] {
        var rules = SuspensionRules(suspends: suspends)
        return inputs.flatMap { rules.take($0) }
    }

    @Test(
        arguments: [
            ([.enteredBackground], [.keepIdle(false), .suspend]),
            ([.enteredBackground, .enteredBackground], [.keepIdle(false), .suspend]),
            (
                [.enteredBackground, .enteringForeground, .resumed],
                [.keepIdle(false), .suspend, .keepIdle(true), .resume]
            ),
            // Time is asked for in the foreground already, and given back with the last connection.
            ([.connected], [.beginTime]), ([.connected, .disconnected], [.beginTime, .endTime]),
            (
                [.connected, .enteredBackground, .disconnected],
                [.beginTime, .keepIdle(false), .suspend, .endTime]
            ),
            (
                [.connected, .enteredBackground, .enteringForeground],
                [.beginTime, .keepIdle(false), .keepIdle(true)]
            ),
            // The time is up: what is open would only seem to be there.
            (
                [.connected, .enteredBackground, .timeIsUp, .disconnected, .enteringForeground],
                [.beginTime, .keepIdle(false), .suspend, .cut, .endTime, .keepIdle(true), .resume]
            ),
            // It is told late, when the app is back.
            (
                [.connected, .enteredBackground, .enteringForeground, .timeIsUp],
                [.beginTime, .keepIdle(false), .keepIdle(true), .endTime, .beginTime]
            ),
            (
                [.connected, .timeRefused, .enteredBackground, .timeRefused],
                [.beginTime, .keepIdle(false), .beginTime, .suspend, .cut]
            ),
            // The port was taken, and is tried for again.
            (
                [.enteredBackground, .enteringForeground, .resumeFailed, .retryIsDue(number: 3)],
                [
                    .keepIdle(false), .suspend, .keepIdle(true), .resume,
                    .retry(after: .seconds(1), number: 3), .resume,
                ]
            ),
            // Meanwhile it was in the background again: the old retry is void.
            (
                [
                    .enteredBackground, .enteringForeground, .resumeFailed, .enteredBackground,
                    .retryIsDue(number: 3),
                ],
                [
                    .keepIdle(false), .suspend, .keepIdle(true), .resume,
                    .retry(after: .seconds(1), number: 3), .keepIdle(false),
                ]
            ),
        ] as [([SuspensionRules.Input], [SuspensionRules.Step])])
    func `say what is to be done, in order`(
        inputs: [SuspensionRules.Input], expected: [SuspensionRules.Step]
    ) {
        #expect(steps(inputs) == expected)
    }

    @Test func `without suspension only time is asked for`() {
        #expect(
            steps(
                [.connected, .enteredBackground, .timeIsUp, .disconnected, .enteringForeground],
                suspends: false)
                == [.beginTime, .endTime])
    }

    @Test func `pauses between retries grow, up to 32 seconds`() {
        var rules = SuspensionRules(suspends: true)
        _ = rules.take(.enteredBackground)
        _ = rules.take(.enteringForeground)
        let pauses = (0..<8).compactMap { _ -> Duration? in
            guard case .retry(let pause, let number) = rules.take(.resumeFailed).first,
                rules.take(.retryIsDue(number: number)) == [.resume]
            else { return nil }
            return pause
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 32, 32].map { .seconds($0) })
    }

    @Test func `hold in 10,000 random orders`() {
        for seed: UInt64 in 1...10_000 {
            var random = SeededRandom(seed: seed)
            var rules = SuspensionRules(suspends: true)
            var model = Model()
            for _ in 0..<30 {
                let input = model.next(&random)
                for step in rules.take(input) { model.carryOut(step, &random) }
                if let problem = model.problem {
                    Issue.record("seed \(seed): \(problem) after \(input)")
                    return
                }
            }
        }
    }
}

/// A system and a server that only remember, and what must never be so.
private struct Model {
    private var isInBackground = false
    private var isConnected = false
    private var hasTime = false
    private var isListening = true
    private var retry: Int?
    private var answers: [SuspensionRules.Input] = []
    private var fault: String?

    mutating func next(_ random: inout SeededRandom) -> SuspensionRules.Input {
        if let answer = answers.popLast() { return answer }
        switch random.below(6) {
        case 0:
            isInBackground = true
            return .enteredBackground
        case 1:
            isInBackground = false
            return .enteringForeground
        case 2 where isListening:
            isConnected = true
            return .connected
        case 3 where isConnected:
            isConnected = false
            return .disconnected
        case 4 where hasTime: return .timeIsUp
        case 5:
            if let retry { return .retryIsDue(number: retry) }
            isInBackground = false
            return .enteringForeground
        default:
            isInBackground.toggle()
            return isInBackground ? .enteredBackground : .enteringForeground
        }
    }

    mutating func carryOut(_ step: SuspensionRules.Step, _ random: inout SeededRandom) {
        switch step {
        case .keepIdle: break
        case .beginTime:
            if hasTime { fault = "time is asked for twice" }
            hasTime = true
        case .endTime:
            if !hasTime { fault = "time is given back twice" }
            hasTime = false
        case .suspend:
            if !isInBackground { fault = "it is suspended in the foreground" }
            isListening = false
        // The connections' end is told like any other.
        case .cut: break
        case .resume:
            if isInBackground { fault = "it is resumed in the background" }
            isListening = isListening || random.isOne(in: 2)
            answers.append(isListening ? .resumed : .resumeFailed)
        case .retry(_, let number): retry = number
        }
    }

    /// In the background it listens only while it has time.
    var problem: String? {
        if let fault { return fault }
        if isInBackground, isListening, !hasTime { return "it listens and may be suspended" }
        return nil
    }
}
