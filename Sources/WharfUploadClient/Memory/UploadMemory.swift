import WharfCrypto
import WharfHTTP
import WharfHTTPClient
import WharfNet

/// Remembers the URLs of uploads that are not complete, in a file, over restarts of the program.
///
/// An upload is known by its file's path, size and time of change, and by where it goes.
struct UploadMemory: Sendable {
    /// What is known of one upload.
    struct Entry: Sendable, Hashable {
        var url: String
        /// Seconds since 1970 of its beginning.
        var time: Int64
    }

    /// Uploads that are remembered; of more the oldest go.
    static let countMax = 1000
    /// Seconds that one is remembered.
    static let lifetime: Int64 = 14 * 86_400
    /// Bytes of a file that is read.
    static let byteCountMax = 4 << 20

    /// Where it lies unless somebody says otherwise.
    static var defaultPath: String? { StateFile.path(named: "uploads.json") }

    private let path: String?
    private let client: HTTPClient

    init(_ path: String?, _ client: HTTPClient) {
        self.path = path
        self.client = client
    }

    /// What an upload is known by; the file's name is not to be read from it.
    static func key(_ source: FileSource, _ url: HTTPURL, _ way: Upload.Way) -> String {
        let status = source.status
        let path = StateFile.absolute(source.path)
        let text =
            "\(path)\n\(status.size)\n\(status.modificationTime)\n\(status.inode)\n\(url)\n\(way)"
        return Base64.encode(Hash.digest(.sha256, of: Array(text.utf8)))
    }

    /// The URL of an upload that was begun; `nil` for one that is not known.
    func url(for key: String) async throws -> HTTPURL? {
        guard let path else { return nil }
        let now = client.unixTime
        return try? await client.blocking { () throws -> HTTPURL? in
            let entries = Self.decode(
                try StateFile.read(path, byteCountMax: Self.byteCountMax))
            guard let entry = entries[key], now - entry.time < Self.lifetime else { return nil }
            return try HTTPURL(entry.url)
        }
    }

    /// Remembers an upload; that it can't is no reason not to upload.
    func keep(_ url: HTTPURL, for key: String) async throws {
        let now = client.unixTime
        try await change { entries in
            entries[key] = Entry(url: url.description, time: now)
        }
    }

    /// Forgets an upload.
    func forget(_ key: String) async throws {
        try await change { $0[key] = nil }
    }

    private func change(_ change: @escaping @Sendable (inout [String: Entry]) -> Void) async throws
    {
        guard let path else { return }
        let now = client.unixTime
        // A full disk or a folder that can't be written costs the memory, not the upload.
        _ = try? await client.blocking {
            try StateFile.update(path, byteCountMax: Self.byteCountMax) { bytes in
                var entries = Self.decode(bytes)
                change(&entries)
                return Self.encode(Self.bounded(entries, now))
            }
        }
        try Task.checkCancellation()
    }

    private static func bounded(_ entries: [String: Entry], _ now: Int64) -> [String: Entry] {
        let fresh = entries.filter { now - $0.value.time < lifetime }
        guard fresh.count > countMax else { return fresh }
        let newest = fresh.sorted { $0.value.time > $1.value.time }.prefix(countMax)
        return Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
}
