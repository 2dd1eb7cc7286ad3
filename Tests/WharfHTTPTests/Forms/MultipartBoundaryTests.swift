import Testing
import WharfHTTP

@Suite struct MultipartBoundaryTests {
    @Test(arguments: [
        ("multipart/form-data; boundary=AaB03x", "AaB03x"),
        ("multipart/form-data;boundary=AaB03x", "AaB03x"),
        ("Multipart/Form-Data; Boundary=AaB03x", "AaB03x"),
        ("multipart/form-data; boundary=\"AaB03x\"", "AaB03x"),
        ("multipart/form-data; boundary=\"a b:c\"", "a b:c"),
        ("multipart/form-data; boundary=\"a\\=b\"", "a=b"),
        ("multipart/form-data; charset=utf-8; boundary=AaB03x", "AaB03x"),
        ("multipart/form-data; boundary=AaB03x; charset=\"utf-8\"", "AaB03x"),
        ("multipart/form-data ; ; boundary=AaB03x;", "AaB03x"),
        // Opera 8, and JavaMail.
        (
            "multipart/form-data; boundary=-0x'K()h+T_m,L-b.O/u:N=d?ArY",
            "-0x'K()h+T_m,L-b.O/u:N=d?ArY"
        ),
        ("multipart/form-data; boundary=----=_Part_1_2.3", "----=_Part_1_2.3"),
    ])
    func `the boundary of a form is found`(contentType: String, boundary: String) throws {
        #expect(try MultipartBoundary(contentType: contentType).text == boundary)
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data;", "multipart/form-data; boundary",
        "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=\"a", "multipart/form-data; boundary=\"a \"",
        "multipart/form-data; boundary=a b", "multipart/form-data; boundary=a\\/b",
        "multipart/form-data; boundary=\"a\\\\b\"", "multipart/form-data; boundary=\"a\tb\"",
        "multipart/form-data; boundary=a!b", "multipart/form-data; boundary=ä",
        "multipart/form-data; boundary = a", "multipart/form-data, boundary=a",
        "multipart/form-data; boundary=a; boundary=a",
        "multipart/form-data; boundary=a; BOUNDARY=b",
        "multipart/form-data; boundary=a; boundary*=utf-8''b",
        "multipart/form-data; boundary*0=a", "multipart/form-data; x; boundary=a",
        "multipart/form-data/x; boundary=a",
    ])
    func `without one sound boundary a form is refused`(contentType: String) {
        let error = #expect(throws: MultipartError.self) {
            try MultipartBoundary(contentType: contentType)
        }
        #expect(error?.status == .badRequest)
    }

    @Test(arguments: [
        nil, "", "multipart", "multipart/mixed; boundary=a", "text/plain; boundary=a",
        "application/x-www-form-urlencoded",
    ])
    func `another type is refused as such`(contentType: String?) {
        let error = #expect(throws: MultipartError.self) {
            try MultipartBoundary(contentType: contentType)
        }
        #expect(error?.status == .unsupportedMediaType)
    }

    @Test(arguments: [(70, true), (71, false)])
    func `a boundary has at most seventy characters`(count: Int, passes: Bool) {
        let text = String(repeating: "b", count: count)
        #expect((MultipartBoundary(text) != nil) == passes)
        #expect((MultipartBoundary(text, boundaryMax: 71) != nil))
        let type = "multipart/form-data; boundary=" + text
        #expect(((try? MultipartBoundary(contentType: type)) != nil) == passes)
    }
}
