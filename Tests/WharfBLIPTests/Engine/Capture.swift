import Foundation
import WharfBLIPEngine

/// A frame that was captured between two peers.
struct CapturedFrame {
    let direction: String
    let bytes: [UInt8]
    /// Whether all of it was written down.
    var isWhole = true
    /// The number as another decoder has read it, where the file says.
    var number: UInt64?
    /// The decompressed payload, where the file says; the beginning of a long one.
    var payload: [UInt8]?
}

enum Capture {
    private static let folder = URL(
        filePath: ProcessInfo.processInfo.environment["WHARF_DATA"] ?? "../shared"
    ).appending(path: "data/blip")

    /// The frames of a file with one JSON object a line, in order; `nil` where there is no data.
    static func lines(_ name: String) throws -> [CapturedFrame]? {
        guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
        return try String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap {
            let object = try JSONSerialization.jsonObject(with: Data($0.utf8))
            return (object as? [String: Any]).flatMap(frame)
        }
    }

    /// The frames of a file with one JSON object.
    static func list(_ name: String) throws -> [CapturedFrame]? {
        guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return (object?["frames"] as? [[String: Any]])?.compactMap(frame)
    }

    /// The frames of a file with a line of words for each; the last word is the frame.
    static func texts(_ name: String) throws -> [CapturedFrame]? {
        guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 5, let hex = words.last, hex.hasPrefix("9b34f206") else {
                return nil
            }
            var frame = CapturedFrame(direction: String(words[0]), bytes: bytes(String(hex)))
            frame.isWhole = !hex.hasSuffix("...")
            frame.number = UInt64(words[1].dropFirst())
            return frame
        }
    }

    /// The frames of a file in which each has its length before it, in four bytes.
    static func binary(_ name: String) throws -> [CapturedFrame]? {
        guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
        var rest = [UInt8](data)[...]
        var frames: [CapturedFrame] = []
        while rest.count >= 4 {
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            frames.append(
                CapturedFrame(direction: name, bytes: Array(rest.dropFirst(4).prefix(count))))
            rest = rest.dropFirst(4 + count)
        }
        return frames
    }

    private static func frame(_ object: [String: Any]) -> CapturedFrame? {
        guard let hex = object["hex"] as? String else { return nil }
        var frame = CapturedFrame(
            direction: object["dir"] as? String ?? "", bytes: bytes(hex))
        frame.isWhole = (object["len"] as? Int).map { $0 == frame.bytes.count } ?? true
        frame.number = (object["number"] as? Int).map(UInt64.init)
        frame.payload = (object["body"] as? String ?? object["raw_hex"] as? String).map(bytes)
        return frame
    }

    static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
