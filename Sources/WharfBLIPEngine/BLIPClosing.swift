/// How far the two ends have come with agreeing to close: the request `Bye` of BLIP 1.1 and 2.
///
/// Each end may ask, both may at the same time, and an end may refuse unless it has asked itself.
/// When both agree, what is under way is finished, nothing new is asked, and the connection ends.
package struct BLIPClosing: Sendable, Hashable {
    private enum State: Hashable {
        case open
        /// This end has asked, and waits for the answer.
        case asked
        /// Both agree.
        case agreed
    }

    /// The profile of the request.
    package static let profile = "Bye"

    private var state = State.open
    /// The other end has asked as well, and was told yes.
    private var hasAccepted = false

    package init() {}

    /// Whether this end may ask something new.
    package var maySend: Bool { state == .open }

    /// Whether all that remains is to finish what is under way.
    package var isAgreed: Bool { state == .agreed }

    /// Whether the program may refuse when the other end asks: not if it has asked itself.
    package var mayRefuse: Bool { state == .open }

    /// This end asks.
    package mutating func ask() {
        if state == .open { state = .asked }
    }

    /// The other end has answered what this end asked.
    package mutating func noteAnswer(isRefusal: Bool) {
        guard state == .asked else { return }
        // Who has asked itself and been told yes can't take that back by a refusal.
        state = isRefusal && !hasAccepted ? .open : .agreed
    }

    /// The other end asked and was told yes.
    package mutating func accept() {
        hasAccepted = true
        if state == .open { state = .agreed }
    }
}
