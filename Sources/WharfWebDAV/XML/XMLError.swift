/// Why a document is refused.
package enum XMLError: Error, Sendable, Hashable {
    /// It is not well-formed, or uses a prefix that stands for nothing; the code is libxml2's.
    case malformed(code: Int32)
    /// It has a document type declaration: entities begin there.
    case documentType
    /// It has more bytes than are read.
    case tooLarge
    /// Elements lie deeper in each other than is read.
    case tooDeep
    /// There are more elements, attributes or pieces of text than are read.
    case tooMany
}

/// How much of a document is read.
package struct XMLLimits: Sendable {
    package var byteCountMax = 1 << 20
    package var depthMax = 64
    /// Elements, attributes, declarations and pieces of text together.
    package var nodeCountMax = 10_000
    /// Namespaces that are declared at one place, there and further up.
    package var declarationCountMax = 128
    /// Bytes of one tag, comment or instruction, more or less: they are read whole, and libxml2
    /// compares each attribute of a tag with all others.
    package var tagByteCountMax = 32 << 10
    /// Bytes of one name, with its prefix; of what is not a name libxml2 has its own bounds.
    package var nameByteCountMax = 1024

    package init() {}
}
