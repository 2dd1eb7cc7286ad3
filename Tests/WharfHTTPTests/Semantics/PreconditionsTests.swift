import Testing
import WharfHTTP

@Suite struct PreconditionsTests {
    private static let old = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let new = "Sun, 06 Nov 1994 08:49:38 GMT"

    private func outcome(
        _ method: HTTPRequest.Method, _ fields: HTTPFields, exists: Bool = true
    ) -> Preconditions.Outcome {
        let request = HTTPRequest(
            method: method, scheme: nil, authority: "a", path: "/", headerFields: fields)
        return Preconditions.evaluate(
            request, exists: exists, eTag: exists ? EntityTag("x") : nil,
            lastModified: exists ? HTTPDate(Self.same) : nil)
    }

    @Test(
        arguments: [
            ([:], .proceed), ([.ifMatch: "\"x\""], .proceed), ([.ifMatch: "*"], .proceed),
            ([.ifMatch: "\"y\", \"x\""], .proceed), ([.ifMatch: "\"y\""], .preconditionFailed),
            ([.ifMatch: "W/\"x\""], .preconditionFailed), ([.ifMatch: "x"], .preconditionFailed),
            ([.ifMatch: "\"x\"", .ifUnmodifiedSince: old], .proceed),
            ([.ifUnmodifiedSince: old], .preconditionFailed),
            ([.ifUnmodifiedSince: same], .proceed),
            ([.ifUnmodifiedSince: "rubbish"], .proceed), ([.ifNoneMatch: "\"x\""], .notModified),
            ([.ifNoneMatch: "W/\"x\""], .notModified), ([.ifNoneMatch: "*"], .notModified),
            ([.ifNoneMatch: "\"y\""], .proceed),
            ([.ifNoneMatch: "\"y\"", .ifModifiedSince: new], .proceed),
            ([.ifModifiedSince: same], .notModified), ([.ifModifiedSince: new], .notModified),
            ([.ifModifiedSince: old], .proceed), ([.ifModifiedSince: "rubbish"], .proceed),
            ([.ifMatch: "\"y\"", .ifNoneMatch: "\"x\""], .preconditionFailed),
            ([.ifMatch: "\"x-gzip\""], .preconditionFailed),
            ([.ifNoneMatch: "\"x-gzip\""], .proceed),
        ] as [(HTTPFields, Preconditions.Outcome)])
    func `conditions of a read are judged in their order`(
        fields: HTTPFields, expected: Preconditions.Outcome
    ) {
        #expect(outcome(.get, fields) == expected)
        #expect(outcome(.head, fields) == expected)
    }

    @Test(
        arguments: [
            ([.ifMatch: "\"x-gzip\""], true, .proceed),
            ([.ifMatch: "\"x-deflate\""], true, .proceed),
            ([.ifMatch: "W/\"x-gzip\""], true, .preconditionFailed),
            ([.ifMatch: "\"x-br\""], true, .preconditionFailed),
            ([.ifNoneMatch: "*"], true, .preconditionFailed),
            ([.ifNoneMatch: "*"], false, .proceed),
            ([.ifNoneMatch: "\"x\""], true, .preconditionFailed),
            ([.ifMatch: "*"], false, .preconditionFailed), ([.ifMatch: "*"], true, .proceed),
            ([.ifModifiedSince: new], true, .proceed),
            ([.ifUnmodifiedSince: old], true, .preconditionFailed),
            ([.ifUnmodifiedSince: new], false, .preconditionFailed),
        ] as [(HTTPFields, Bool, Preconditions.Outcome)])
    func `conditions of a write fail instead`(
        fields: HTTPFields, exists: Bool, expected: Preconditions.Outcome
    ) {
        #expect(outcome(.put, fields, exists: exists) == expected)
    }

    @Test(
        arguments: [
            (nil, true), ("\"x\"", true), ("W/\"x\"", false), ("\"y\"", false), (same, true),
            (new, false), (old, false), ("rubbish", false),
        ] as [(String?, Bool)])
    func `a range counts only for the very same version`(value: String?, allows: Bool) {
        let tag = EntityTag("x")
        let date = HTTPDate(Self.same)
        #expect(Preconditions.allowsRange(ifRange: value, eTag: tag, lastModified: date) == allows)
        let weak = EntityTag("x", isWeak: true)
        if value == "\"x\"" {
            #expect(!Preconditions.allowsRange(ifRange: value, eTag: weak, lastModified: date))
        }
    }

    @Test(
        arguments: [
            ("\"a\"", "\"a\""), ("W/\"a\"", "W/\"a\""), ("\"\"", "\"\""), ("\"a,b\"", "\"a,b\""),
            ("a", nil), ("w/\"a\"", nil), ("\"a", nil), ("\"a b\"", nil), ("\"a\"x", nil),
            ("W/", nil),
            ("", nil), ("\"", nil),
        ] as [(String, String?)])
    func `a tag is read and written`(text: String, expected: String?) {
        #expect(EntityTag(parsing: text)?.description == expected)
    }

    @Test func `a tag cannot break out of its quotes`() {
        #expect(EntityTag("a\"\r\n b").description == "\"a----b\"")
    }

    @Test(
        arguments: [
            (" \"a\" , W/\"b\",,", 2), ("\"a,b\"", 1), ("\"a\" \"b\"", nil), ("", nil), (",", nil),
            ("*, \"a\"", nil), ("a", nil),
        ] as [(String, Int?)])
    func `a list of tags is read`(text: String, count: Int?) {
        guard case .tags(let tags)? = EntityTag.List(parsing: text) else {
            #expect(count == nil)
            return
        }
        #expect(tags.count == count)
    }
}
