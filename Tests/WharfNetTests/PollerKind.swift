@testable import WharfNet

/// The two pollers, which one table of tests runs over.
enum PollerKind: CaseIterable {
    case epoll, kqueue

    func system() throws -> System {
        switch self {
        case .epoll: try System()
        case .kqueue: try KqueueSystem()
        }
    }
}
