import WharfHTTP

/// One element of Sec-WebSocket-Extensions (RFC 6455 §9.1): a name with parameters.
package struct WebSocketExtension: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String?

        package init(_ name: String, _ value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    package let name: String
    package let parameters: [Parameter]

    package init(_ name: String, _ parameters: [Parameter] = []) {
        self.name = name
        self.parameters = parameters
    }

    /// Reads the field's value, all lines together; `nil` if it is malformed.
    package static func read(_ value: String) -> [WebSocketExtension]? {
        var scanner = ParameterScanner(Array(value.utf8))
        var list: [WebSocketExtension] = []
        while true {
            scanner.skipWhitespace()
            if scanner.isAtEnd { return list }
            // RFC 9110 §5.6.1: empty elements of a list are passed over.
            if scanner.take(UInt8(ascii: ",")) { continue }
            guard let name = scanner.token() else { return nil }
            var parameters: [Parameter] = []
            scanner.skipWhitespace()
            while scanner.take(UInt8(ascii: ";")) {
                scanner.skipWhitespace()
                guard let parameter = parameter(&scanner) else { return nil }
                parameters.append(parameter)
                scanner.skipWhitespace()
            }
            list.append(WebSocketExtension(name, parameters))
            guard scanner.isAtEnd || scanner.take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private static func parameter(_ scanner: inout ParameterScanner) -> Parameter? {
        guard let name = scanner.token() else { return nil }
        scanner.skipWhitespace()
        guard scanner.take(UInt8(ascii: "=")) else { return Parameter(name) }
        scanner.skipWhitespace()
        let isQuoted = scanner.next == UInt8(ascii: "\"")
        guard let value = isQuoted ? scanner.quotedString() : scanner.token() else { return nil }
        return Parameter(name, value)
    }
}

extension WebSocketExtension: CustomStringConvertible {
    /// As it stands in the field.
    package var description: String {
        parameters.reduce(name) { text, parameter in
            text + "; " + parameter.name + (parameter.value.map { "=" + $0 } ?? "")
        }
    }
}
