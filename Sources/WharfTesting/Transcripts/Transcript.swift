public import WharfHTTP
import WharfNet

/// Exchanges that were recorded in pairs of files: `NNN-METHOD.request` and `NNN-STATUS.response`.
///
/// They hold what went over the wire. ``WharfServer/Recording`` writes such files, and
/// `wharf serve --record` does.
public struct Transcript: Sendable {
    /// One request and its answer.
    public struct Exchange: Sendable {
        /// Its number in the names of the files.
        public let number: Int
        /// The request's method.
        public let method: HTTPRequest.Method
        /// The request's bytes.
        public let request: [UInt8]
        /// The answer's bytes; where the client had gone they end early.
        public let response: [UInt8]
    }

    /// Why a folder holds no transcript.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// What is wrong, with the name of the file.
        public let description: String
    }

    /// The exchanges, by their numbers.
    public let exchanges: [Exchange]

    private static let fileSizeMax = 64 * 1024 * 1024

    /// Makes one of exchanges.
    public init(_ exchanges: [Exchange]) {
        self.exchanges = exchanges
    }

    /// Reads a folder; other files in it are left alone.
    ///
    /// Throws ``Failure`` when it can't be read, and when a request has no answer or several.
    public init(folder: String) throws {
        var requests: [(number: Int, method: HTTPRequest.Method, file: String)] = []
        var responses: [Int: String] = [:]
        for file in try Self.names(in: folder) {
            guard let name = TranscriptFileName(file) else { continue }
            if name.isRequest {
                guard let method = HTTPRequest.Method(name.middle) else {
                    throw Failure(description: "\(file): no method")
                }
                requests.append((name.number, method, file))
            } else if responses.updateValue(file, forKey: name.number) != nil {
                throw Failure(description: "\(file): there is another answer of that number")
            }
        }
        exchanges = try requests.sorted { ($0.number, $0.file) < ($1.number, $1.file) }.map {
            guard let response = responses[$0.number] else {
                throw Failure(description: "\($0.file): there is no answer")
            }
            return Exchange(
                number: $0.number, method: $0.method, request: try Self.read(folder, $0.file),
                response: try Self.read(folder, response))
        }
    }

    private static func names(in folder: String) throws -> [String] {
        do throws(Errno) {
            let root = try RootedDirectory(path: folder, system: .withoutLoop)
            let reader = try root.list(try root.open("", cachedOnly: false).get()).get()
            var names: [String] = []
            while case let entries = try reader.next().get(), !entries.isEmpty {
                names += entries.map { String(decoding: $0.name, as: UTF8.self) }
            }
            return names
        } catch {
            throw Failure(description: "\(folder): \(error)")
        }
    }

    private static func read(_ folder: String, _ file: String) throws -> [UInt8] {
        do throws(Errno) {
            let bytes = try WholeFile.read("\(folder)/\(file)", byteCountMax: fileSizeMax)
            if let bytes { return bytes }
        } catch {
            throw Failure(description: "\(file): \(error)")
        }
        throw Failure(description: "\(file): longer than \(fileSizeMax) bytes")
    }
}

/// `001-GET.request` or `001-200.response`, taken apart.
struct TranscriptFileName {
    let number: Int
    /// The method, or the status.
    let middle: String
    let isRequest: Bool

    init?(_ file: String) {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == "request" || parts[1] == "response" else { return nil }
        let halves = parts[0].split(separator: "-", maxSplits: 1)
        guard halves.count == 2, halves[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(halves[0])
        else { return nil }
        self.number = number
        middle = String(halves[1])
        isRequest = parts[1] == "request"
    }
}
