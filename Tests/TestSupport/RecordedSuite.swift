import Foundation

/// A suite of recorded exchanges in WHARF_DATA, and the site that it was recorded from.
package enum RecordedSuite {
    private static let allData =
        (ProcessInfo.processInfo.environment["WHARF_DATA"] ?? "../shared") + "/data"
    private static let dataFolder = allData + "/gcdwebserver"

    /// The folder of a suite; `nil`, and a line about it, where it is not.
    package static func folder(_ name: String) -> String? {
        guard FileManager.default.fileExists(atPath: "\(dataFolder)/\(name)") else {
            print("skipped: no data (\(name))")
            return nil
        }
        return "\(dataFolder)/\(name)"
    }

    /// What a client of WebDAV was seen to send; `nil`, and a line about it, where that is not.
    package static func trace(_ client: String) -> [UInt8]? {
        guard
            let data = FileManager.default.contents(
                atPath: "\(allData)/webdav-traces/\(client).txt")
        else {
            print("skipped: no data (\(client))")
            return nil
        }
        return Array(data)
    }

    /// The site, with the times that its files had.
    package static func site(withMovie: Bool) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let archive = try Data(contentsOf: URL(fileURLWithPath: "\(dataFolder)/Payload.zip"))
        for entry in try ZipArchive(Array(archive)).entries where entry.name.hasPrefix("Payload/") {
            let name = String(entry.name.dropFirst("Payload/".count))
            if name.isEmpty { continue }
            if name.hasSuffix("/") {
                try folder.makeFolder(String(name.dropLast()))
            } else {
                try folder.write(entry.bytes, to: Array(name.utf8))
                try folder.setTime(of: name, seconds: entry.seconds)
            }
        }
        guard withMovie else { return folder }
        let movie = try Data(contentsOf: URL(fileURLWithPath: "\(dataFolder)/Sample-Movie.mp4"))
        try folder.write(Array(movie), to: Array("Sample-Movie.mp4".utf8))
        // 2014-01-01T00:00:00Z
        try folder.setTime(of: "Sample-Movie.mp4", seconds: 1_388_534_400)
        return folder
    }
}
