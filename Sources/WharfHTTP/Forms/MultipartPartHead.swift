/// The fields of one part of a form, and what they say about it (RFC 7578 §4).
public struct MultipartPartHead: Sendable {
    /// The name of the form's field; several parts may have the same.
    public let name: String

    /// The name of the file as it was sent, or nil if the part is no file.
    ///
    /// It is what the peer made of it: empty where no file was chosen, a path where a folder was
    /// sent or where an old browser told too much, or an attack. Only ``FileName`` makes names of
    /// files out of it.
    public let fileName: String?

    /// All fields of the part.
    ///
    /// The data is as it was sent, whatever Content-Transfer-Encoding says (RFC 7578 §4.7).
    public let fields: HTTPFields

    /// The type of the data, or nil if none is given or it is malformed.
    ///
    /// RFC 7578 §4.4: a part without one is `text/plain`. What is told is not to be trusted.
    public var contentType: MediaType? {
        fields[.contentType].flatMap { MediaType($0) }
    }

    /// Throws if there is not one Content-Disposition with a name (RFC 7578 §4.2).
    init(fields: HTTPFields) throws(MultipartError) {
        guard let line = fields.firstValueBytes(of: .contentDisposition) else {
            throw .malformed("part without Content-Disposition")
        }
        guard fields[fields: .contentDisposition].count == 1 else {
            throw .malformed("part with more than one Content-Disposition")
        }
        guard let value = ContentDisposition.parse(line) else {
            throw .malformed("malformed Content-Disposition")
        }
        guard value.type == "form-data", let name = value.name else {
            throw .malformed("part is no field of a form")
        }
        self.name = name
        fileName = value.fileName
        self.fields = fields
    }
}
