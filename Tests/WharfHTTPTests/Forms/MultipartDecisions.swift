/// What is to become of a body on which servers disagree.
struct Decision {
    enum Verdict {
        /// Read with the names that the client meant.
        case meant
        /// Read with these names, file names and sizes.
        case named([(name: String, fileName: String?, size: Int)])
        /// Refused with this status.
        case refused(Int)
    }

    let id: String
    let verdict: Verdict
    let reason: String

    init(_ id: String, _ verdict: Verdict, _ reason: String) {
        self.id = id
        self.verdict = verdict
        self.reason = reason
    }
}

extension Decision {
    /// One for each body of the collection that not all servers read alike.
    static let all = [
        Decision(
            "werkzeug/tests_multipart_ie7_full_path_request.http",
            .refused(400), "Lines that end in LF alone."),
        Decision(
            "rack/test_multipart_content_type_and_no_disposition",
            .refused(400), "RFC 7578 §4.2: a part must have Content-Disposition."),
        Decision(
            "rack/test_multipart_content_type_and_unknown_charset",
            .meant, "A charset is the reader's business; the data is handed on as it is."),
        Decision(
            "rack/test_multipart_end_boundary_first",
            .meant, "RFC 2046 §5.1.1: what follows the last delimiter is ignored."),
        Decision(
            "rack/test_multipart_fail_16384_nofile",
            .refused(400), "Lines that end in LF alone."),
        Decision(
            "rack/test_multipart_filename_and_modification_param",
            .refused(400), "RFC 7578 §4.2: a part of a form is `form-data`."),
        Decision(
            "rack/test_multipart_filename_and_no_name",
            .refused(400), "RFC 7578 §4.2: a part must have a name."),
        Decision(
            "rack/test_multipart_filename_with_encoded_words",
            .refused(400), "RFC 7578 §4.2: a part of a form is `form-data`."),
        Decision(
            "rack/test_multipart_filename_with_escaped_quotes_and_modification_param",
            .refused(400), "RFC 7578 §4.2: a part of a form is `form-data`."),
        Decision(
            "rack/test_multipart_filename_with_null_byte",
            .refused(400), "RFC 7578 §4.2: a part of a form is `form-data`."),
        Decision(
            "rack/test_multipart_filename_with_single_quote",
            .refused(400), "RFC 7578 §4.2: a part of a form is `form-data`."),
        Decision(
            "rack/test_multipart_filename_with_unescaped_quotes",
            .named([("files", "escape \"quotes", 8)]),
            "A quote ends a name only where a parameter may end."),
        Decision(
            "rack/test_multipart_invalid_character",
            .named([("files", "invalidÃ.txt", 8)]),
            "A name that is no UTF-8 is ISO-8859-1: nothing of it is lost."),
        Decision(
            "rack/test_multipart_multiple_encodings",
            .meant, "The data is handed on as it is, in any charset."),
        Decision(
            "rack/test_multipart_preceding_boundary",
            .refused(400), "A delimiter starts a line: this one is text, and no part follows."),
        Decision(
            "rack/test_multipart_space_case.txt",
            .refused(400), "No delimiter at all."),
        Decision(
            "rack/test_multipart_three_files_three_fields",
            .meant, "RFC 7578 §4.7: Content-Transfer-Encoding is not decoded."),
        Decision(
            "rack/test_multipart_unity3d_wwwform",
            .refused(400), "A line of fields without a colon."),
        Decision(
            "formidable/test_fixture_http_encoding_beta-sticker-1.png.http",
            .refused(400), "RFC 2046 §5.1.1: a boundary has no backslashes."),
        Decision(
            "formidable/test_fixture_http_encoding_binaryfile.tar.gz.http",
            .refused(400), "RFC 2046 §5.1.1: a boundary has no backslashes."),
        Decision(
            "formidable/test_fixture_http_encoding_blank.gif.http",
            .refused(400), "RFC 2046 §5.1.1: a boundary has no backslashes."),
        Decision(
            "formidable/test_fixture_http_encoding_menu_separator.png.http",
            .refused(400), "RFC 2046 §5.1.1: a boundary has no backslashes."),
        Decision(
            "formidable/test_fixture_http_misc_empty-multipart.http",
            .refused(400), "An empty body has no last delimiter."),
        Decision(
            "formidable/test_fixture_http_preamble_preamble.http",
            .meant, "RFC 2046 §5.1.1: text before the first part is ignored."),
        Decision(
            "formidable/test_fixture_http_special-chars-in-filename_line-separator.http",
            .refused(400), "Lines that end in LF alone."),
        Decision(
            "formidable/test_fixture_http_special-chars-in-filename_osx-firefox-3.6.http",
            .named([
                ("title", nil, 14),
                (
                    "upload",
                    ": \\ ? % * | \" < > . &#9731; ; ' @ # $ ^ & ( ) - _ = + { } [ ] ` ~.txt", 36
                ),
            ]), "A quote ends a name only where a parameter may end."),
        Decision(
            "formidable/test_fixture_http_special-chars-in-filename_xp-ie-7.http",
            .named([
                ("title", nil, 14),
                (
                    "upload", " ? % * | \" < > . &#9731; ; ' @ # $ ^ & ( ) - _ = + { } [ ] ` ~.txt",
                    0
                ),
            ]), "A quote ends a name only where a parameter may end."),
        Decision(
            "formidable/test_fixture_http_special-chars-in-filename_xp-ie-8.http",
            .named([
                ("title", nil, 14),
                (
                    "upload", " ? % * | \" < > . &#9731; ; ' @ # $ ^ & ( ) - _ = + { } [ ] ` ~.txt",
                    0
                ),
            ]), "A quote ends a name only where a parameter may end."),
        Decision(
            "formidable/test_fixture_http_workarounds_missing-hyphens1.http",
            .refused(400), "No last delimiter: the body may have been cut."),
        Decision(
            "formidable/test_fixture_http_workarounds_missing-hyphens2.http",
            .refused(400), "No last delimiter: the body may have been cut."),
        Decision(
            "multiparty/test_fixture_http_content-type_custom-equal-sign.http",
            .named([("file", "plain.txt", 24)]),
            "RFC 2046 lets a boundary have `=`; JavaMail sends it bare."),
        Decision(
            "multiparty/test_fixture_http_encoding_beta-sticker-1.png.http",
            .refused(400), "RFC 2046 §5.1.1: a boundary has no backslashes."),
        Decision(
            "multiparty/test_fixture_http_encoding_binaryfile.tar.gz.http",
            .refused(400), "RFC 2046 §5.1.1: a boundary has no backslashes."),
        Decision(
            "multiparty/test_fixture_http_encoding_blank.gif.http",
            .refused(400), "RFC 2046 §5.1.1: a boundary has no backslashes."),
        Decision(
            "multiparty/test_fixture_http_encoding_menu_seperator.png.http",
            .refused(400), "RFC 2046 §5.1.1: a boundary has no backslashes."),
        Decision(
            "multiparty/test_fixture_http_preamble_preamble.http",
            .meant, "RFC 2046 §5.1.1: text before the first part is ignored."),
        Decision(
            "multiparty/test_fixture_http_special-chars-in-filename_osx-firefox-3.6.http",
            .named([
                ("title", nil, 14),
                (
                    "upload",
                    ": \\ ? % * | \" < > . &#9731; ; ' @ # $ ^ & ( ) - _ = + { } [ ] ` ~.txt", 36
                ),
            ]), "A quote ends a name only where a parameter may end."),
        Decision(
            "multiparty/test_fixture_http_special-chars-in-filename_xp-ie-7.http",
            .named([
                ("title", nil, 14),
                (
                    "upload", " ? % * | \" < > . &#9731; ; ' @ # $ ^ & ( ) - _ = + { } [ ] ` ~.txt",
                    0
                ),
            ]), "A quote ends a name only where a parameter may end."),
        Decision(
            "multiparty/test_fixture_http_special-chars-in-filename_xp-ie-8.http",
            .named([
                ("title", nil, 14),
                (
                    "upload", " ? % * | \" < > . &#9731; ; ' @ # $ ^ & ( ) - _ = + { } [ ] ` ~.txt",
                    0
                ),
            ]), "A quote ends a name only where a parameter may end."),
        Decision(
            "http-entity-parser/t_02_http_body_data_multipart_012-content.dat",
            .refused(400), "A chunked body that was stored with its chunk sizes."),
        Decision(
            "http-entity-parser/t_02_http_body_data_multipart_013-content.dat",
            .named([
                ("text1", nil, 36), ("text2", nil, 0), ("select", nil, 1), ("select", nil, 1),
                ("textarea", nil, 359),
            ]), "Opera 8 sends a boundary with `/`, `:` and `=` bare."),
        Decision(
            "python-multipart/CRLF_in_header.http",
            .refused(400), "A line of fields without a colon."),
        Decision(
            "python-multipart/CR_in_header.http",
            .refused(400), "A CR in the name of a field."),
        Decision(
            "python-multipart/CR_in_header_value.http",
            .refused(400), "A bare CR in a value."),
        Decision(
            "python-multipart/almost_match_boundary_without_CR.http",
            .named([("field", nil, 54)]), "A line that goes on after the boundary is data."),
        Decision(
            "python-multipart/almost_match_boundary_without_LF.http",
            .named([("field", nil, 55)]), "A bare CR ends no line, so this is data."),
        Decision(
            "python-multipart/almost_match_boundary_without_final_hyphen.http",
            .named([("field", nil, 55)]), "One hyphen after the boundary makes no last delimiter."),
        Decision(
            "python-multipart/bad_end_of_headers.http",
            .refused(400), "A bare CR after the fields."),
        Decision(
            "python-multipart/bad_header_char.http",
            .refused(400), "RFC 9110 §5.1: a name of a field is a token."),
        Decision(
            "python-multipart/bad_initial_boundary.http",
            .refused(400), "Another boundary: skipping its part as text would lose it."),
        Decision(
            "python-multipart/base64_encoding.http",
            .meant, "RFC 7578 §4.7: Content-Transfer-Encoding is not decoded."),
        Decision(
            "python-multipart/empty_header.http",
            .refused(400), "A field without a name."),
        Decision(
            "python-multipart/empty_message_with_bad_end.http",
            .refused(400), "One hyphen after the boundary makes no last delimiter."),
        Decision(
            "python-multipart/header_with_number.http",
            .named([("files", "secret.txt", 6)]), "Names of fields may have digits."),
        Decision(
            "python-multipart/mixed_case_headers.http",
            .meant, "The case of a name does not matter; a name needs no quotes."),
        Decision(
            "python-multipart/mixed_plain_and_base64_encoding.http",
            .meant, "RFC 7578 §4.7: Content-Transfer-Encoding is not decoded."),
        Decision(
            "python-multipart/quoted_printable_encoding.http",
            .meant, "RFC 7578 §4.7: Content-Transfer-Encoding is not decoded."),
        Decision(
            "python-multipart/single_field_blocks.http",
            .refused(400), "The boundary is another than the delimiters have."),
        Decision(
            "go/src_mime_multipart_testdata_nested-mime",
            .refused(415), "A mail, and no form."),
        Decision(
            "captured-here/chromium-fetch-formdata.http",
            .meant, "`%22`, `%0D` and `%0A` are what browsers write for quotes and line ends."),
        Decision(
            "captured-here/chromium-form.http",
            .meant, "`%22`, `%0D` and `%0A` are what browsers write for quotes and line ends."),
        Decision(
            "captured-here/firefox-fetch-formdata.http",
            .meant, "`%22`, `%0D` and `%0A` are what browsers write for quotes and line ends."),
        Decision(
            "captured-here/firefox-form.http",
            .meant, "`%22`, `%0D` and `%0A` are what browsers write for quotes and line ends."),
        Decision(
            "captured-here/go119-multipart-writer.http",
            .refused(400), "Go writes the line feed of a name as it is: a broken line."),
        Decision(
            "captured-here/httpx028.http",
            .meant, "Backslashes that httpx doubles stay so: nothing tells them from two."),
        Decision(
            "captured-here/node-form-data.http",
            .named([
                ("text", nil, 6), ("files", "plain.txt", 30), ("files", "with \"quotes\".txt", 30),
                ("files", "naïve 文件 😀.txt", 30), ("files", "empty.bin", 0),
            ]), "A quote ends a name only where a parameter may end."),
        Decision(
            "captured-here/requests234.http",
            .meant, "`%22`, `%0D` and `%0A` are what browsers write for quotes and line ends."),
        Decision(
            "captured-here/undici-node20-fetch.http",
            .meant, "`%22`, `%0D` and `%0A` are what browsers write for quotes and line ends."),
        Decision(
            "captured-here/webkitgtk-fetch-formdata.http",
            .meant, "`%22`, `%0D` and `%0A` are what browsers write for quotes and line ends."),
        Decision(
            "captured-here/webkitgtk-form.http",
            .meant, "`%22`, `%0D` and `%0A` are what browsers write for quotes and line ends."),
    ]
}
