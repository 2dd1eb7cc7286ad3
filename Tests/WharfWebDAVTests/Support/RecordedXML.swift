import WharfHTTP

@testable import WharfWebDAV

/// What a recorded answer of XML says, for comparing it with another server's.
struct RecordedXML: Equatable {
    /// The properties by what they are of: local names, without those that can't be the same.
    private var resources: [String: [String: String]] = [:]
    /// Of the lock that an answer to LOCK tells.
    private var lock: [String: String] = [:]

    init?(_ body: [UInt8]) {
        var limits = XMLLimits()
        limits.nodeCountMax = 100_000
        guard let root = try? XMLReader.read(body, limits: limits) else { return nil }
        for response in root.elements where response.name.local == "response" {
            let href = response.first(.dav("href"))?.text ?? ""
            resources[Self.canonical(href)] = Self.properties(response)
        }
        if let active = root.first(.dav("lockdiscovery"))?.first(.dav("activelock")) {
            for part in active.elements where Self.lockParts.contains(part.name.local) {
                lock[part.name.local] =
                    part.elements.first?.name.local ?? part.text.trimmingSpace
            }
        }
    }

    /// Who has locked it, and how long, how deep and how.
    private static let lockParts: Set<String> = ["locktype", "lockscope", "depth", "timeout"]

    /// When a file was made can't be set on Linux; what was changed in the recording is changed anew.
    private static let volatile: Set<String> = ["creationdate", "getlastmodified"]

    private static func properties(_ response: XMLElement) -> [String: String] {
        var found: [String: String] = [:]
        for propstat in response.elements where propstat.name.local == "propstat" {
            guard propstat.first(.dav("status"))?.text.contains(" 200") ?? false else { continue }
            for property in propstat.first(.dav("prop"))?.elements ?? []
            where !volatile.contains(property.name.local) {
                found[property.name.local] =
                    property.elements.first?.name.local ?? property.text
            }
        }
        return found
    }

    /// A folder's with or without a slash at its end.
    private static func canonical(_ href: String) -> String {
        let text = PercentEncoding.decodeText(href) ?? href
        return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Whether another one says all that this one does: it may say more.
    func isSaid(by other: RecordedXML) -> Bool {
        lock == other.lock && Set(resources.keys) == Set(other.resources.keys)
            && resources.allSatisfy { href, properties in
                properties.allSatisfy { other.resources[href]?[$0.key] == $0.value }
            }
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
