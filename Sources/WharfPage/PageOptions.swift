public import WharfServer

/// What people see of a page.
///
/// All texts are shown as they are, whatever HTML makes of them.
public struct PageOptions: Sendable {
    /// What the folder is called, in the browser's tab and in front of paths; `nil`: its name.
    public var title: String?
    /// What stands at the top of the page; `nil`: the title.
    public var header: String?
    /// What stands above the list, for instance what may be uploaded.
    public var prologue: String?
    /// What stands below the list.
    public var epilogue: String?
    /// What stands at the end of the page, for instance who runs it.
    public var footer: String?

    /// How files are sent: hidden ones, an index, types, ages.
    ///
    /// Files of a share that can be written to are sent so that none can run a script in the page's
    /// name, whatever is said here. Which extensions there are is said by
    /// ``WharfServer/Share/Options/allowedExtensions``.
    public var files = DirectoryHandler.Options()

    /// Calls the folder by its name, and says nothing.
    public init() {}
}
