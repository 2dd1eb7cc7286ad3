import CWharf
import Synchronization

/// An option as `getopt_long` knows it: `--name`, `--name VALUE` or `--name[=VALUE]`.
struct OptionName {
    let text: StaticString
    /// Its short form: `-p` for `p`.
    let letter: Unicode.Scalar?
    let takesValue: Bool
    /// It may be without its value, which is empty then.
    let isValueOptional: Bool

    init(
        _ text: StaticString, letter: Unicode.Scalar? = nil, takesValue: Bool = false,
        isValueOptional: Bool = false
    ) {
        self.text = text
        self.letter = letter
        self.takesValue = takesValue
        self.isValueOptional = isValueOptional
    }

    /// `no_argument`, `required_argument` or `optional_argument` of getopt.h.
    fileprivate var argument: Int32 { isValueOptional ? 2 : takesValue ? 1 : 0 }
}

/// Takes a command line apart with `getopt_long`, so that it behaves like any other program's.
enum OptionScanner {
    struct Result: Equatable {
        var options: [Option] = []
        /// What is no option, in its order.
        var operands: [String] = []
    }

    struct Option: Equatable {
        let name: String
        let value: String
    }

    // `getopt_long` keeps its place in globals.
    private static let lock = Mutex(())

    /// Reads the arguments that follow the program's name.
    static func scan(_ arguments: [String], for names: [OptionName]) throws(UsageError) -> Result {
        let answer: Swift.Result<Result, UsageError> = lock.withLock { _ in
            do throws(UsageError) {
                return .success(try scanAlone(arguments, names))
            } catch {
                return .failure(error)
            }
        }
        return try answer.get()
    }

    private static func scanAlone(_ arguments: [String], _ names: [OptionName])
        throws(UsageError) -> Result
    {
        var strings = unsafe (["wharf"] + arguments).map { text in
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
            _ = unsafe copy.initialize(from: text.utf8CString)
            return copy.baseAddress
        }
        unsafe strings.append(nil)
        // getopt moves the pointers about, but loses none.
        defer { unsafe strings.forEach { unsafe $0?.deallocate() } }
        var table = unsafe names.enumerated().map { index, name in
            unsafe option(
                name: UnsafeRawPointer(name.text.utf8Start).assumingMemoryBound(to: CChar.self),
                has_arg: name.argument, flag: nil, val: Int32(index) + firstValue)
        }
        unsafe table.append(option())

        // The colon in front keeps getopt from printing, and tells a missing value from a wrong
        // option.
        let letters = names.compactMap { name in
            name.letter.map { "\($0)\(name.takesValue ? ":" : "")" }
        }.joined()
        var result = Result()
        let count = unsafe Int32(strings.count - 1)
        cwharf_reset_optind()
        while true {
            let code = unsafe getopt_long(count, &strings, ":\(letters)", table, nil)
            switch code {
            case -1:
                for index in Int(cwharf_optind())..<Int(count) {
                    unsafe result.operands.append(text(strings[index]))
                }
                return result
            default:
                if let name = names.name(code) {
                    unsafe result.options.append(Option(name: name, value: text(cwharf_optarg())))
                    continue
                }
                let last = unsafe text(strings[max(1, min(Int(cwharf_optind()), Int(count)) - 1)])
                throw UsageError(
                    code == missingCode ? "\(last) needs a value" : "\(last): no such option")
            }
        }
    }

    fileprivate static let firstValue: Int32 = 1000
    private static let missingCode = Int32(UInt8(ascii: ":"))

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        return unsafe String(cString: pointer)
    }
}

extension [OptionName] {
    /// The name that getopt means by a code: a letter, or a place in the table.
    fileprivate func name(_ code: Int32) -> String? {
        let found = enumerated().first { index, name in
            code == Int32(index) + OptionScanner.firstValue
                || name.letter.map { Int32($0.value) } == code
        }
        return found?.element.text.description
    }
}
