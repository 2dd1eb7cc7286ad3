@testable import WharfNet

/// A system without openat2(2), as on Apple systems and in strict sandboxes.
final class WalkingSystem: System, @unchecked Sendable {
    private let refusal: Errno

    init(refusal: Errno = .noSuchCall) throws(Errno) {
        self.refusal = refusal
        try super.init()
    }

    override func openBeneath(
        _ directory: Int32, _ path: [UInt8], flags: Int32, mode: UInt16, cachedOnly: Bool
    ) -> SystemResult {
        .failure(refusal)
    }
}

/// The two ways in which a path stays below its root.
enum PathKeeping: CaseIterable {
    case byTheKernel, byWalking

    func root(_ path: String) throws -> RootedDirectory {
        let system = self == .byTheKernel ? try System() : try WalkingSystem()
        return try RootedDirectory(path: path, system: system)
    }
}
