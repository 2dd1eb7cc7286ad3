import WharfHTTP
import WharfNet
import WharfServer

/// A resource as PROPFIND sees it.
struct DAVResource: Sendable {
    let path: ResourcePath
    let status: FileStatus

    var isFolder: Bool { status.kind == .folder }
}

/// Writes the `response` elements of PROPFIND (RFC 4918 §9.1).
struct ResourceWriter: Sendable {
    let selection: PropertySelection
    /// What hrefs begin with: the prefix that the handler is mounted at, encoded.
    let prefix: String
    /// The name of the root.
    let rootName: String
    let mediaTypes: MediaTypeMap
    let locks: Locks
    /// Whether locks can be had.
    let isWritable: Bool
    /// Whether nobody has to prove who they are, or nobody has.
    let isAnonymous: Bool
    /// Seconds since 1970.
    let now: Int64
    /// The space of the disk, if it was asked for.
    let space: FileSpace?

    private static let found = Array(
        "</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>".utf8)
    private static let missing = Array(
        "</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>".utf8)
    private static let nobody = Array(
        "<D:current-user-principal><D:unauthenticated/></D:current-user-principal>".utf8)
    private static let lockEntries = Array(
        ["exclusive", "shared"].map {
            "<D:lockentry><D:lockscope><D:\($0)/></D:lockscope>"
                + "<D:locktype><D:write/></D:locktype></D:lockentry>"
        }.joined().utf8)

    /// Writes one resource with its dead properties.
    func write(_ resource: DAVResource, dead: [DeadProperty], to writer: inout XMLWriter) {
        writer.start("response")
        writer.start("href")
        writer.raw(prefix.utf8)
        writer.raw(resource.path.href(isFolder: resource.isFolder).utf8)
        writer.end("href")
        writer.start("propstat")
        writer.start("prop")
        var missingLive: [LiveProperty] = []
        for property in selection.live {
            if !has(property, resource, dead) {
                if selection.namedLive.contains(property) { missingLive.append(property) }
            } else if selection.wantsNamesOnly {
                writer.empty(property.name)
            } else if property == .displayName, let own = dead.first(where: { $0.isName }) {
                writer.raw(own.markup)
            } else if property == .checksums {
                writeChecksums(of: resource, dead, to: &writer)
            } else {
                write(property, of: resource, to: &writer)
            }
        }
        var missingDead: [XMLName] = []
        writeDead(dead, to: &writer, missing: &missingDead)
        writer.raw(Self.found)
        if !selection.isBrief, !missingLive.isEmpty || !missingDead.isEmpty {
            writer.start("propstat")
            writer.start("prop")
            for property in missingLive { writer.empty(property.name) }
            for name in missingDead { writer.empty(name) }
            writer.raw(Self.missing)
        }
        writer.end("response")
    }

    private func writeDead(
        _ dead: [DeadProperty], to writer: inout XMLWriter, missing: inout [XMLName]
    ) {
        for property in dead
        where !property.isName && !property.isOurs
            && (selection.wantsAllDead || selection.named.contains(property.name))
        {
            if selection.wantsNamesOnly {
                writer.empty(property.name)
            } else {
                writer.raw(property.markup)
            }
        }
        missing = selection.named.filter { name in
            !dead.contains { $0.name == name && !$0.isOurs }
        }
    }

    private func writeChecksums(
        of resource: DAVResource, _ dead: [DeadProperty], to writer: inout XMLWriter
    ) {
        guard let text = checksums(of: resource, dead) else { return }
        writer.raw("<o:checksums xmlns:o=\"http://owncloud.org/ns\"><o:checksum>".utf8)
        writer.raw(text.utf8)
        writer.raw("</o:checksum></o:checksums>".utf8)
    }

    private func checksums(of resource: DAVResource, _ dead: [DeadProperty]) -> Substring? {
        KeptChecksum.text(in: dead, of: FileValidators(resource.status, now: now).eTag)
    }

    private func has(
        _ property: LiveProperty, _ resource: DAVResource, _ dead: [DeadProperty]
    ) -> Bool {
        switch property {
        case .checksums: !resource.isFolder && checksums(of: resource, dead) != nil
        case .currentUserPrincipal: isAnonymous
        case .quotaAvailable, .quotaUsed:
            resource.isFolder && (space != nil || selection.wantsNamesOnly)
        default: property.exists(forFolder: resource.isFolder)
        }
    }

    private func write(
        _ property: LiveProperty, of resource: DAVResource, to writer: inout XMLWriter
    ) {
        let status = resource.status
        switch property {
        case .checksums: break
        case .resourceType:
            guard resource.isFolder else { return writer.empty("resourcetype") }
            writer.start("resourcetype")
            writer.empty("collection")
            writer.end("resourcetype")
        case .displayName:
            // RFC 4918 §15.2: for people; not percent-encoded.
            if resource.path.isRoot {
                writer.element("displayname", rootName)
            } else {
                writer.element("displayname", text: resource.path.name)
            }
        case .contentLength:
            writer.element("getcontentlength", String(max(0, status.size)))
        case .contentType:
            let name = String(decoding: resource.path.name, as: UTF8.self)
            writer.element("getcontenttype", mediaTypes.contentType(forFileName: name))
        case .entityTag:
            writer.element("getetag", FileValidators(status, now: now).eTag)
        case .lastModified:
            var date: [UInt8] = []
            HTTPDate(unixSeconds: min(status.modificationSeconds, now)).append(to: &date)
            writer.element("getlastmodified", text: date)
        case .creationDate:
            writer.element(
                "creationdate", HTTPDate(unixSeconds: status.creationSeconds).iso8601)
        case .lockDiscovery:
            let covering = locks.read { $0.covering(resource.path, at: now) }
            guard !covering.isEmpty else { return writer.empty("lockdiscovery") }
            writer.lockDiscovery(covering, prefix: prefix, now: now)
        case .supportedLock:
            // Some programs lock whatever says that it can be locked.
            guard isWritable else { return writer.empty("supportedlock") }
            writer.start("supportedlock")
            writer.raw(Self.lockEntries)
            writer.end("supportedlock")
        case .quotaAvailable:
            writer.element("quota-available-bytes", String(space?.availableByteCount ?? 0))
        case .quotaUsed:
            writer.element("quota-used-bytes", String(space?.usedByteCount ?? 0))
        case .currentUserPrincipal:
            // RFC 5397 §3: nobody has logged in. There is no URL for those who have.
            writer.raw(Self.nobody)
        }
    }
}

extension DeadProperty {
    /// Whether it stands in the place of the live one.
    fileprivate var isName: Bool { name == LiveProperty.displayName.name }

    /// Whether it is nobody's to see.
    fileprivate var isOurs: Bool { name.namespace == KeptChecksum.namespace }
}
