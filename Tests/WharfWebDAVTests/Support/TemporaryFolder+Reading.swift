import Foundation
import TestSupport

extension TemporaryFolder {
    /// The text of a file.
    func text(_ name: String) throws -> String {
        try String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }

    /// The names at the top, hidden ones too.
    func allNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Removes a file, as somebody would who doesn't go by the server.
    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + "/" + name)
    }
}
