import WharfHTTP
import WharfNet

/// A name in a folder for a file that comes from a client.
struct SaveTarget: Sendable {
    private let root: RootedDirectory
    private let folderPath: String
    private let name: String
    private let taken: TakenName
    let folder: FileHandle

    static let numberMax = 9999

    /// Opens the folder.
    ///
    /// Only the last part of a name that is a path counts, and what is dangerous is refused: 400.
    /// Throws what the system says of the folder. It waits for the disk: for the pool only.
    init(folder path: String, name: String, taken: TakenName) throws {
        self.name = try Self.safe(name, taken)
        root = try RootedDirectory(path: path, system: .withoutLoop)
        folderPath = path
        self.taken = taken
        folder = try root.place(of: Array(self.name.utf8)).get().folder
    }

    private static func safe(_ name: String, _ taken: TakenName) throws -> String {
        let room = taken == .number ? " (\(numberMax))".utf8.count : 0
        do {
            return try FileName.sanitized(
                name, byteCountMax: FileName.byteCountMax - room,
                isReserved: { PartName.isReserved(Array($0.utf8)) })
        } catch {
            throw HTTPError(.badRequest, reason: "the name of a file: \(error)")
        }
    }

    /// Gives a file its name.
    ///
    /// It waits for the disk: for the pool only.
    func place(_ writer: FileWriter) throws -> SavedFile {
        let lastNumber = taken == .number ? Self.numberMax : 0
        for number in 0...lastNumber {
            let name = FileName.numbered(self.name, number)
            do {
                return try place(writer, as: name)
            } catch let error as Errno where error == .exists {
                continue
            } catch let error as Errno where error == .isDirectory && taken == .number {
                continue
            }
        }
        throw HTTPError(.conflict, reason: "a file's name is taken: \(name)")
    }

    private func place(_ writer: FileWriter, as name: String) throws -> SavedFile {
        let place = try root.place(of: Array(name.utf8)).get()
        let placed = try writer.place(at: place, replaces: taken == .replace)
        let slash = folderPath.hasSuffix("/") ? "" : "/"
        return SavedFile(
            name: name, path: folderPath + slash + name, byteCount: placed.status.size,
            isReplacing: !placed.isNew)
    }
}
