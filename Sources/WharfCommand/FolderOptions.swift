import WharfPage
import WharfServer
import WharfWebDAV

/// What `wharf serve` is told about what people see of the folder, and which files there are.
struct FolderOptions: Equatable {
    /// `--hidden`.
    var showsHidden = false
    /// `--index`.
    var indexName: String?
    /// `--title`.
    var title: String?
    /// `--extensions`; `nil`: all files are there.
    var extensions: Set<String>?
    /// Without `--no-ui`.
    var hasPage = true

    static let names = [
        OptionName("hidden"), OptionName("index", takesValue: true),
        OptionName("title", takesValue: true), OptionName("extensions", takesValue: true),
        OptionName("no-ui"),
    ]

    /// Takes an option: false if it is none of these.
    mutating func take(_ option: OptionScanner.Option) throws(UsageError) -> Bool {
        switch option.name {
        case "hidden": showsHidden = true
        case "index":
            let name = option.value
            guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
                throw UsageError("--index: \(name) is no file name")
            }
            indexName = name
        case "title": title = option.value
        case "extensions":
            let names = option.value.split(separator: ",").map { String($0.drop { $0 == "." }) }
            guard !names.isEmpty, !names.contains(where: { $0.isEmpty || $0.contains("/") }) else {
                throw UsageError("--extensions: \(option.value) is no list such as jpg,png")
            }
            extensions = Set(names)
        case "no-ui": hasPage = false
        default: return false
        }
        return true
    }

    private var files: DirectoryHandler.Options {
        var files = DirectoryHandler.Options()
        files.showsHidden = showsHidden
        files.indexName = indexName
        files.title = title
        return files
    }

    /// What answers: a page for browsers, and a drive at the same URL, unless one isn't wanted.
    func handler(for share: Share, _ drive: DriveOptions) throws(Failure) -> any HTTPHandler {
        try drive.resuming(served(share, drive), of: share)
    }

    private func served(_ share: Share, _ drive: DriveOptions) throws(Failure) -> any HTTPHandler {
        var options = WebDAVHandler.Options()
        options.stateFolder = drive.stateFolder
        options.basePath = drive.basePath
        var page = PageOptions()
        page.title = title
        page.files = files
        do {
            switch (hasPage, drive.isServed) {
            case (true, true): return try ShareHandler(share, options: page, drive: options)
            case (true, false): return UploaderHandler(share, options: page)
            case (false, true): return try WebDAVHandler(share, files: files, options: options)
            case (false, false): return DirectoryHandler(share, options: files)
            }
        } catch {
            throw Failure("can't keep the state in \(error)")
        }
    }
}
