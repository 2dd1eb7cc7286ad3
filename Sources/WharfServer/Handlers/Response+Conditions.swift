import WharfHTTP

/// What the server makes of an answer when the request has conditions or asks for a part.
extension Response {
    /// Whether there is nothing to settle: the commonest case, asked before anything is copied.
    @inline(__always)
    var isSettled: Bool { fields.isEmpty && compression != .allowed && status.code >= 200 }

    /// The answer after the conditions and the range of its request (RFC 9110 §13.2.2, §14.2).
    ///
    /// Conditions are judged for GET and HEAD when the answer is a 200 with ETag or Last-Modified.
    /// The client that has this version already gets 304. Parts are sent of what says its version
    /// or has `Accept-Ranges: bytes`. `now` is in seconds since 1970. Throws the ``HTTPError`` that
    /// it comes to: 412 or 416.
    consuming func settled(
        for request: HTTPRequest, isSecure: @autoclosure () -> Bool, _ policy: CompressionPolicy,
        now: () -> Int64
    ) throws -> Response {
        if undecidedCookies != nil { self = decidingCookies(isSecure: isSecure()) }
        guard status.code >= 200 || body.isUpgrade else {
            // The client would take the next answer for this one's end (RFC 9110 §15.2).
            throw HTTPError(.internalServerError, reason: "the handler answered \(status.code)")
        }
        guard isCompressionCandidate(policy) else { return try judged(for: request, now: now) }
        return try negotiated(for: request, policy, now: now)
    }

    /// Chooses the variant first: the conditions are about the one that would be sent.
    private func negotiated(
        for request: HTTPRequest, _ policy: CompressionPolicy, now: () -> Int64
    ) throws -> Response {
        var variant = self
        let coding = try variant.takeCoding(for: request, by: policy)
        let answer = try variant.judged(for: request, now: now)
        guard let coding, answer.status != .notModified else { return answer }
        return try answer.compressed(with: coding, policy)
    }

    private consuming func judged(for request: HTTPRequest, now: () -> Int64) throws -> Response {
        guard !fields.isEmpty, status == .ok, request.method == .get || request.method == .head
        else { return self }
        let asked = request.headerFields
        let isConditional =
            asked.contains(.ifNoneMatch) || asked.contains(.ifModifiedSince)
            || asked.contains(.ifMatch) || asked.contains(.ifUnmodifiedSince)
        let wantsPart = request.method == .get && asked.contains(.range)
        guard isConditional || wantsPart else { return advertisingRanges() }

        let (eTag, lastModified) = (eTag, lastModified)
        if isConditional, eTag != nil || lastModified != nil {
            switch Preconditions.evaluate(
                request, exists: true, eTag: eTag, lastModified: lastModified)
            {
            case .proceed: break
            case .notModified: return notModified()
            case .preconditionFailed:
                throw HTTPError(.preconditionFailed, fields: fields.withoutRepresentation)
            }
        }
        guard wantsPart, acceptsRanges, let length = body.length, let range = asked[.range],
            Preconditions.allowsRange(
                ifRange: asked[.ifRange], eTag: eTag,
                lastModified: lastModified.flatMap { Self.isStrong($0, now: now()) ? $0 : nil })
        else { return advertisingRanges() }
        return try part(RangeRequest(parsing: range, length: length), of: length)
    }

    // RFC 9110 §8.8.2.2: a date tells versions apart only if the second after it is over, too.
    private static func isStrong(_ date: HTTPDate, now: Int64) -> Bool {
        date.unixSeconds < now - 1
    }

    private var acceptsRanges: Bool {
        guard body.hasParts else { return false }
        if let value = fields[.acceptRanges] { return value == "bytes" }
        return fields.contains(.eTag) || fields.contains(.lastModified)
    }

    private func advertisingRanges() -> Response {
        guard !fields.contains(.acceptRanges), acceptsRanges else { return self }
        var response = self
        response.fields[.acceptRanges] = "bytes"
        return response
    }

    // RFC 9110 §15.4.5: the fields that a cache may want to update, but none about the content.
    private func notModified() -> Response {
        var response = Response(status: .notModified, fields: fields)
        for name: HTTPField.Name in [
            .contentType, .contentEncoding, .contentLanguage, .contentDisposition, .acceptRanges,
        ] {
            response.fields.removeAll(named: name)
        }
        return response
    }

    private func part(_ range: RangeRequest, of length: Int64) throws -> Response {
        switch range {
        case .ignored:
            return advertisingRanges()
        case .unsatisfiable:
            var fields = fields.withoutRepresentation
            fields[.contentRange] = "bytes */\(length)"
            fields[.acceptRanges] = "bytes"
            throw HTTPError(.rangeNotSatisfiable, fields: fields)
        case .ranges(let ranges):
            // The parts of an encoded body have no place to say how they are encoded.
            if ranges.count > 1, fields.contains(.contentEncoding) { return advertisingRanges() }
            var response = self
            response.status = .partialContent
            if ranges.count == 1, let range = ranges.first {
                response.fields[.contentRange] = RangeRequest.contentRange(range, length: length)
                response.body = body.part(range)
            } else {
                let parts = ByteRangeParts(
                    ranges, of: length, contentType: fields[.contentType] ?? contentType)
                response.fields.removeAll(named: .contentType)
                response.contentType = parts.contentType
                response.body = parts.body(of: body)
            }
            return response
        }
    }
}

extension HTTPFields {
    /// Without what describes a content that isn't sent, such as how long it may be kept.
    fileprivate var withoutRepresentation: HTTPFields {
        var fields = self
        for name: HTTPField.Name in [
            .contentType, .contentEncoding, .contentLanguage, .contentLocation,
            .contentDisposition, .eTag, .lastModified, .cacheControl, .expires, .acceptRanges,
        ] {
            fields.removeAll(named: name)
        }
        return fields
    }
}
