import CLibXML2

/// Reads a document into a tree, piece by piece as it arrives.
///
/// It is libxml2's SAX2 push parser with namespaces. A document type declaration is refused where it
/// begins, in any encoding, so there are no entities but XML's own five, and nothing is ever looked
/// up in files or networks. An error is final.
@safe package final class XMLReader {
    private var context: xmlParserCtxtPtr?
    private var sax = unsafe xmlSAXHandler()
    private var builder: XMLTreeBuilder
    private var failure: XMLError?
    private var byteCount = 0
    /// Bytes that were fed since the last event.
    private var waitingCount = 0
    private let limits: XMLLimits

    package init(limits: XMLLimits = XMLLimits()) {
        self.limits = limits
        builder = XMLTreeBuilder(limits: limits)
        _ = Self.library
        // Without the magic number libxml2 never calls the functions that know of namespaces.
        unsafe sax.initialized = XML_SAX2_MAGIC
        unsafe sax.startElementNs = {
            user, name, prefix, uri, namespaceCount, namespaces, attributeCount, _, attributes in
            let start = unsafe RawStart(
                name: name, prefix: prefix, uri: uri, namespaceCount: Int(namespaceCount),
                namespaces: namespaces, attributeCount: Int(attributeCount), attributes: attributes)
            unsafe XMLReader.of(user)?.build { builder throws(XMLError) in
                try unsafe builder.start(start.element)
            }
        }
        unsafe sax.endElementNs = { user, _, _, _ in
            unsafe XMLReader.of(user)?.build { builder in builder.end() }
        }
        unsafe sax.characters = { user, bytes, count in unsafe XMLReader.add(user, bytes, count) }
        unsafe sax.cdataBlock = { user, bytes, count in unsafe XMLReader.add(user, bytes, count) }
        unsafe sax.comment = { user, _ in unsafe XMLReader.of(user)?.build { _ in } }
        unsafe sax.processingInstruction = { user, _, _ in
            unsafe XMLReader.of(user)?.build { _ in }
        }
        unsafe sax.internalSubset = { user, _, _, _ in
            unsafe XMLReader.of(user)?.fail(.documentType)
        }
        unsafe sax.serror = { user, error in
            // Level 1 is a warning. Errors of namespaces are level 2, at which libxml2 goes on.
            guard let error = unsafe error, unsafe error.pointee.level.rawValue >= 2 else { return }
            unsafe XMLReader.of(user)?.fail(.malformed(code: error.pointee.code))
        }
    }

    deinit {
        if let context = unsafe context { unsafe xmlFreeParserCtxt(context) }
    }

    /// Takes the next bytes.
    package func feed(_ bytes: [UInt8]) throws(XMLError) {
        if let failure { throw failure }
        byteCount += bytes.count
        if byteCount > limits.byteCountMax { fail(.tooLarge) }
        if let failure { throw failure }
        if unsafe context == nil {
            // Unretained: the reader owns the context, and frees it before it goes.
            let me = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe context = xmlCreatePushParserCtxt(&sax, me, nil, 0, nil)
            // With NOENT a reference in an attribute arrives as the character that it stands for.
            let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue
            unsafe xmlCtxtUseOptions(context, Int32(options))
        }
        for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
            try parse(bytes[start...].prefix(Self.pieceSize))
        }
    }

    private static let pieceSize = 8 << 10

    private func parse(_ piece: ArraySlice<UInt8>) throws(XMLError) {
        waitingCount += piece.count
        let code = unsafe piece.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe xmlParseChunk(context, $0.baseAddress, Int32($0.count), 0)
            }
        }
        // What is still waited for is one tag. A CDATA section may be as long as text.
        if unsafe context?.pointee.instate == XML_PARSER_CDATA_SECTION { waitingCount = 0 }
        if waitingCount > limits.tagByteCountMax { fail(.tooLarge) }
        try check(code)
    }

    /// Ends the document and hands out its root.
    package func finish() throws(XMLError) -> XMLElement {
        if let failure { throw failure }
        guard unsafe context != nil else { throw .malformed(code: 0) }
        try check(unsafe xmlParseChunk(context, nil, 0, 1))
        guard let root = builder.root, unsafe context?.pointee.wellFormed == 1 else {
            throw .malformed(code: 0)
        }
        return root
    }

    /// Reads a document that is there whole.
    package static func read(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) throws(XMLError)
        -> XMLElement
    {
        let reader = XMLReader(limits: limits)
        try reader.feed(bytes)
        return try reader.finish()
    }

    /// Some errors of encodings are told by nothing but the code.
    private func check(_ code: Int32) throws(XMLError) {
        if failure == nil, code != 0 { failure = .malformed(code: code) }
        if let failure { throw failure }
    }

    // MARK: What libxml2 calls

    private func build(_ step: (inout XMLTreeBuilder) throws(XMLError) -> Void) {
        guard failure == nil else { return }
        waitingCount = 0
        do throws(XMLError) {
            try step(&builder)
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: XMLError) {
        guard failure == nil else { return }
        failure = error
        if let context = unsafe context { unsafe xmlStopParser(context) }
    }

    private static func add(
        _ user: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<xmlChar>?, _ count: Int32
    ) {
        let text = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
        unsafe of(user)?.build { builder throws(XMLError) in
            try unsafe builder.add(String(decoding: text, as: UTF8.self))
        }
    }

    private static func of(_ user: UnsafeMutableRawPointer?) -> XMLReader? {
        unsafe user.map { unsafe Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Made ready once, before the first use.
    private static let library: Void = {
        xmlInitParser()
        wharf_xml_silence()
    }()
}

/// What libxml2 says of the start of an element: pointers into its own memory.
@unsafe private struct RawStart {
    let name: UnsafePointer<xmlChar>?
    let prefix: UnsafePointer<xmlChar>?
    let uri: UnsafePointer<xmlChar>?
    let namespaceCount: Int
    let namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    let attributeCount: Int
    let attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

    var element: XMLElement {
        var element = unsafe XMLElement(
            XMLName(namespace: text(uri), text(name)), prefix: text(prefix))
        if let namespaces = unsafe namespaces {
            for index in unsafe 0..<namespaceCount {
                let declaration = unsafe XMLDeclaration(
                    prefix: text(namespaces[2 * index]), namespace: text(namespaces[2 * index + 1]))
                element.declarations.append(declaration)
            }
        }
        if let attributes = unsafe attributes {
            for index in unsafe 0..<attributeCount {
                // Local name, prefix, namespace, and where the value begins and ends.
                let parts = unsafe attributes + 5 * index
                guard let start = unsafe parts[3], let end = unsafe parts[4] else { continue }
                let value = unsafe UnsafeBufferPointer(start: start, count: end - start)
                unsafe element.attributes.append(
                    XMLAttribute(
                        XMLName(namespace: text(parts[2]), text(parts[0])), prefix: text(parts[1]),
                        value: String(decoding: value, as: UTF8.self)))
            }
        }
        return element
    }

    private func text(_ pointer: UnsafePointer<xmlChar>?) -> String {
        unsafe pointer.map { unsafe String(cString: $0) } ?? ""
    }
}
