import Testing
import WharfWebSocketCodec

@Suite struct `Agreeing on compression` {
    private func wish(_ change: (inout WebSocketCompression) -> Void) -> WebSocketCompression {
        var wish = WebSocketCompression()
        change(&wish)
        return wish
    }

    private func answer(_ offers: String, _ wish: WebSocketCompression = .init()) -> String? {
        guard let list = WebSocketExtension.read(offers) else { return "malformed" }
        return DeflateNegotiation.accept(list, wish)?.answer.description
    }

    @Test(arguments: [
        ("permessage-deflate", "permessage-deflate"),
        ("permessage-deflate; client_max_window_bits", "permessage-deflate"),
        (
            "permessage-deflate; client_max_window_bits=10",
            "permessage-deflate; client_max_window_bits=10"
        ),
        (
            "permessage-deflate; server_max_window_bits=9",
            "permessage-deflate; server_max_window_bits=9"
        ),
        (
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        ),
        (
            "permessage-deflate; server_max_window_bits=\"12\"",
            "permessage-deflate; server_max_window_bits=12"
        ),
        // The first offer that can be met.
        ("x, permessage-deflate; new, permessage-deflate", "permessage-deflate"),
        ("permessage-deflate; server_max_window_bits=16", nil),
        ("permessage-deflate; server_max_window_bits=7", nil),
        ("permessage-deflate; server_max_window_bits=09", nil),
        ("permessage-deflate; server_max_window_bits", nil),
        ("permessage-deflate; client_max_window_bits=", "malformed"),
        ("permessage-deflate; server_no_context_takeover=1", nil),
        (
            "permessage-deflate; server_no_context_takeover; server_no_context_takeover", nil
        ),
        ("x-webkit-deflate-frame", nil), ("", nil), ("permessage-deflate x", "malformed"),
        (",, permessage-deflate ,", "permessage-deflate"),
    ])
    func `a server answers an offer`(offers: String, expected: String?) {
        #expect(answer(offers) == expected)
    }

    @Test func `a server may want less`() {
        let small = wish {
            $0.windowBits = 11
            $0.peerWindowBits = 10
            $0.keepsContext = false
            $0.peerKeepsContext = false
        }
        #expect(
            answer("permessage-deflate; client_max_window_bits", small)
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                + "server_max_window_bits=11; client_max_window_bits=10")
        // RFC 7692 §7.1.2.2: a client that did not offer it can't be asked for a small window.
        #expect(
            answer("permessage-deflate", small)
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                + "server_max_window_bits=11")
    }

    @Test func `a client that would keep its context offers to do without, last`() {
        let kept = DeflateNegotiation.offers(wish { _ in }).map(\.description)
        #expect(
            kept == [
                "permessage-deflate; client_max_window_bits",
                "permessage-deflate; client_no_context_takeover; client_max_window_bits",
            ])
        #expect(DeflateNegotiation.offers(wish { $0.keepsContext = false }).count == 1)
    }

    @Test func `both ends come to the same`() throws {
        for offered in [
            wish { _ in }, wish { $0.windowBits = 9 }, wish { $0.keepsContext = false },
            wish {
                $0.peerWindowBits = 10; $0.peerKeepsContext = false
            },
        ] {
            for served in [
                wish { _ in },
                wish {
                    $0.windowBits = 12; $0.peerWindowBits = 12
                },
                wish {
                    $0.keepsContext = false; $0.peerKeepsContext = false
                },
            ] {
                let offers = DeflateNegotiation.offers(offered).map(\.description)
                let list = try #require(
                    WebSocketExtension.read(offers.joined(separator: ", ")))
                let (server, answer) = try #require(DeflateNegotiation.accept(list, served))
                let sent = try #require(WebSocketExtension.read(answer.description))
                let client = try DeflateNegotiation.settle(sent, offered)
                #expect(client?.server == server.server)
                // A client may always keep to less than what was agreed on.
                #expect(client?.client.windowBits ?? 16 <= server.client.windowBits)
                #expect(!(client?.client.keepsContext ?? true) || server.client.keepsContext)
            }
        }
    }

    @Test(arguments: [
        "x", "permessage-deflate, permessage-deflate", "permessage-deflate; new",
        "permessage-deflate; client_max_window_bits",
        "permessage-deflate; client_max_window_bits=13",
        "permessage-deflate; server_max_window_bits=14",
        "permessage-deflate; server_no_context_takeover; server_max_window_bits=11",
    ])
    func `a client refuses what it has not offered`(answer: String) throws {
        let list = try #require(WebSocketExtension.read(answer))
        let wish = wish {
            $0.windowBits = 12
            $0.peerWindowBits = 10
            $0.peerKeepsContext = false
        }
        #expect(throws: WebSocketHandshakeError.self) {
            try DeflateNegotiation.settle(list, wish)
        }
        #expect(throws: WebSocketHandshakeError.self) {
            try DeflateNegotiation.settle(list, nil)
        }
    }

    @Test func `a client takes it well when the server does not compress`() throws {
        #expect(try DeflateNegotiation.settle([], WebSocketCompression()) == nil)
    }
}
