/// Puts a tree together from the events of a parser, within bounds.
struct XMLTreeBuilder {
    /// The document's element, once it has ended.
    private(set) var root: XMLElement?
    /// The elements that have begun and not ended, the outermost first.
    private var open: [XMLElement] = []
    private var nodeCount = 0
    /// Namespaces that the open elements declare.
    private var declarationCount = 0
    private let limits: XMLLimits

    init(limits: XMLLimits) {
        self.limits = limits
    }

    mutating func start(_ element: XMLElement) throws(XMLError) {
        guard open.count < limits.depthMax else { throw .tooDeep }
        try count(1 + element.attributes.count + element.declarations.count)
        let names =
            [(element.prefix, element.name)] + element.attributes.map { ($0.prefix, $0.name) }
        for (prefix, name) in names {
            let byteCount = prefix.utf8.count + name.local.utf8.count
            guard max(byteCount, name.namespace.utf8.count) <= limits.nameByteCountMax else {
                throw .tooLarge
            }
        }
        declarationCount += element.declarations.count
        guard declarationCount <= limits.declarationCountMax else { throw .tooMany }
        open.append(element)
    }

    mutating func end() {
        guard let element = open.popLast() else { return }
        declarationCount -= element.declarations.count
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(.element(element))
        }
    }

    /// Adds text, which arrives in pieces, to the text before it.
    mutating func add(_ text: String) throws(XMLError) {
        guard !open.isEmpty, !text.isEmpty else { return }
        let (element, last) = (open.count - 1, open[open.count - 1].children.count - 1)
        if last >= 0, case .text(var before) = open[element].children[last] {
            // Taken out, so that the text grows where it is.
            open[element].children[last] = .text("")
            before += text
            open[element].children[last] = .text(before)
        } else {
            try count(1)
            open[element].children.append(.text(text))
        }
    }

    private mutating func count(_ more: Int) throws(XMLError) {
        nodeCount += more
        guard nodeCount <= limits.nodeCountMax else { throw .tooMany }
    }
}
