/// Why a name cannot become that of a file.
public struct FileNameError: Error, Sendable, Hashable {
    private enum Reason: String {
        case empty, dots, control, absolute, reserved, tooLong, tooDeep
    }

    private let reason: Reason

    /// There is no name, or one of the parts of a path is empty.
    public static let empty = Self(reason: .empty)
    /// A name or a part of a path is `.` or `..`.
    public static let dots = Self(reason: .dots)
    /// There is a control, or a character that turns the direction of writing.
    public static let control = Self(reason: .control)
    /// A relative path was asked for, and this one starts at a root or a drive.
    public static let absolute = Self(reason: .absolute)
    /// The name is one of Windows' devices, or was reserved by the caller.
    public static let reserved = Self(reason: .reserved)
    /// The name is too long, and cannot be cut.
    public static let tooLong = Self(reason: .tooLong)
    /// The path has too many parts.
    public static let tooDeep = Self(reason: .tooDeep)
}

extension FileNameError: CustomStringConvertible {
    /// The reason in one word.
    public var description: String { reason.rawValue }
}
