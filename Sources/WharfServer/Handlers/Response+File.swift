package import WharfHTTP
package import WharfNet

extension Response {
    /// A whole file, with its version; `fields` go before.
    ///
    /// The server makes 304, 206, 412 or 416 of it as the request has it.
    package static func file(
        _ file: OpenedFile, contentType: String, fields: HTTPFields = [.acceptRanges: "bytes"]
    ) -> Response {
        let validators = FileValidators(file.status, now: file.handle.system.unixTime())
        var response = Response(
            fields: fields, contentType: contentType,
            body: .file([FileSlice(span: FileSpan(file.handle, 0..<file.status.size))]))
        response.fields.append(HTTPField(name: .lastModified, value: validators.lastModified))
        response.fields.append(HTTPField(name: .eTag, value: validators.eTag))
        return response
    }
}
