import Testing

@testable import WharfWebDAV

@Suite struct `An If field` {
    @Test func `is read with all its grammar`() throws {
        let field = try #require(
            IfHeader(
                parsing:
                    "</x> (<urn:1>  [W/\"e]\"]) (not<urn:2>)</y>\t(Not [\"\"] <DAV:no-lock>)"))
        #expect(
            field.lists == [
                IfHeader.List(
                    resource: "/x",
                    conditions: [
                        .init(isNegated: false, kind: .token("urn:1")),
                        .init(isNegated: false, kind: .entityTag("W/\"e]\"")),
                    ]),
                IfHeader.List(
                    resource: "/x", conditions: [.init(isNegated: true, kind: .token("urn:2"))]),
                IfHeader.List(
                    resource: "/y",
                    conditions: [
                        .init(isNegated: true, kind: .entityTag("\"\"")),
                        .init(isNegated: false, kind: .token("DAV:no-lock")),
                    ]),
            ])
        #expect(field.tokens == ["urn:1", "urn:2", "DAV:no-lock"])
        #expect(IfHeader(parsing: "(<urn:1>)(<urn:2>)")?.lists.map(\.resource) == [nil, nil])
    }

    @Test(arguments: [
        "", " ", "()", "(", "(<a>", "<a>", "<a> <b> (<c>)", "(<a>) <b> (<c>)", "<a> (<b>) <c>",
        "<a> () ", "(a)", "(<>)", "(Not)", "(Not Not <a>)", "([e])", "([\"e\")", "([\"e\"] <a>",
        "(<a>) x", "([\"e f\"])", "(<a<b>)", "<a>(<b>)<a>", "</b c> (<urn:1>)",
    ])
    func `is refused when it is malformed`(text: String) {
        #expect(IfHeader(parsing: text) == nil)
    }

    @Test(arguments: [
        ("(<t>)", true), ("(<u>)", false), ("(Not <u>)", true), ("(Not <t>)", false),
        ("(<t> [\"e\"])", true), ("(<t> [\"f\"])", false), ("(<t> [W/\"e\"])", false),
        ("(<u>) (<t>)", true), ("(<u>) ([\"f\"])", false), ("(<t>) (Not <DAV:no-lock>)", true),
        ("(<u>) (Not <DAV:no-lock>)", true), ("</o> (<t>)", false), ("</o> (<o>)", true),
        ("</o> (Not <t>)", true), ("</o> (<t>) </p> (<o>)", false),
    ])
    func `holds when one of its lists does`(text: String, holds: Bool) throws {
        let field = try #require(IfHeader(parsing: text))
        let answer = field.holds { resource in
            switch resource {
            case nil: IfHeader.State(tokens: ["t"], entityTag: "\"e\"")
            case "/o": IfHeader.State(tokens: ["o"], entityTag: nil)
            default: IfHeader.State(tokens: [], entityTag: nil)
            }
        }
        #expect(answer == holds)
    }
}
