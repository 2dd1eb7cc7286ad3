/// The If field: states of which one has to hold (RFC 4918 §10.4).
package struct IfHeader: Sendable, Hashable {
    /// Conditions that all have to hold for one resource.
    package struct List: Sendable, Hashable {
        /// The resource's URL as it was sent; `nil`: the one that the request is for.
        package var resource: String?
        package var conditions: [Condition]
    }

    package struct Condition: Sendable, Hashable {
        /// What is compared with the resource's state.
        package enum Kind: Sendable, Hashable {
            /// A lock's token, or another state's URL.
            case token(String)
            /// An entity tag, with its quotes.
            case entityTag(String)
        }

        package var isNegated: Bool
        package var kind: Kind
    }

    /// What holds of a resource.
    package struct State: Sendable {
        package var tokens: Set<String>
        package var entityTag: String?

        package init(tokens: Set<String>, entityTag: String?) {
            self.tokens = tokens
            self.entityTag = entityTag
        }
    }

    /// Never empty.
    package let lists: [List]

    /// Reads the field's value, or `nil` if it is malformed.
    package init?(parsing value: String) {
        var scanner = FieldScanner(value)
        var lists: [List] = []
        var resource: String?
        var isTagged: Bool?
        while !scanner.isAtEnd {
            if let tag = scanner.codedURL() {
                // Lists with and without a resource can't be mixed, and a resource has a list.
                guard isTagged != false, resource == nil || lists.last?.resource == resource else {
                    return nil
                }
                resource = tag
                isTagged = true
            }
            isTagged = isTagged ?? false
            guard let conditions = Self.conditions(&scanner) else { return nil }
            lists.append(List(resource: resource, conditions: conditions))
        }
        guard !lists.isEmpty else { return nil }
        self.lists = lists
    }

    /// The tokens that it names, wherever: they count as submitted (RFC 4918 §10.4.1).
    package var tokens: Set<String> {
        var tokens: Set<String> = []
        for condition in lists.flatMap(\.conditions) {
            if case .token(let token) = condition.kind { tokens.insert(token) }
        }
        return tokens
    }

    /// Whether one of the lists holds; `state` tells what holds of a resource.
    package func holds(_ state: (String?) throws -> State) rethrows -> Bool {
        try lists.contains { list in
            let state = try state(list.resource)
            return list.conditions.allSatisfy { condition in
                condition.isMet(by: state) != condition.isNegated
            }
        }
    }

    private static func conditions(_ scanner: inout FieldScanner) -> [Condition]? {
        guard scanner.take("(") else { return nil }
        var conditions: [Condition] = []
        while !scanner.take(")") {
            let isNegated = scanner.takeWord("Not")
            if let token = scanner.codedURL() {
                conditions.append(Condition(isNegated: isNegated, kind: .token(token)))
            } else if scanner.take("["), let tag = scanner.entityTag(), scanner.take("]") {
                conditions.append(Condition(isNegated: isNegated, kind: .entityTag(tag)))
            } else {
                return nil
            }
        }
        return conditions.isEmpty ? nil : conditions
    }
}

extension IfHeader.Condition {
    fileprivate func isMet(by state: IfHeader.State) -> Bool {
        switch kind {
        case .token(let token): state.tokens.contains(token)
        // RFC 4918 §10.4.4: servers may compare weakly; ours are strong, so a weak one is another.
        case .entityTag(let tag): state.entityTag == tag
        }
    }
}
