#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How values become JSON and back: dates as ISO 8601, data as Base64, keys as they are.
///
/// The one file of the library that needs a part of Foundation.
package enum JSONFormat {
    /// The value that a text in UTF-8 stands for.
    ///
    /// Throws `DecodingError`.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws
        -> Value
    {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(bytes))
    }

    /// The text of a value, in UTF-8, with its keys in order: the same value has the same bytes.
    ///
    /// Throws `EncodingError`, for an infinite number for example.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}
