public import WharfHTTP
import WharfNet

extension HTTPClient {
    /// An answer whose body is still to be read; it is for the time of the closure that gets it.
    public struct Response: Sendable {
        /// Status and fields.
        public let head: HTTPResponse
        /// Where it came from, after all redirects.
        public let url: HTTPURL
        /// The interim answers (1xx) that came before it, in their order.
        public let interim: [HTTPResponse]
        /// The body.
        public let body: ResponseBody

        /// The status.
        public var status: HTTPResponse.Status { head.status }
        /// The fields.
        public var fields: HTTPFields { head.headerFields }
    }

    /// A body as it comes: a sequence that can be walked once.
    ///
    /// What is not read stays with the server, which is not taken more from than is asked for.
    public struct ResponseBody: AsyncSequence, Sendable {
        /// A run of bytes, never empty.
        public typealias Element = [UInt8]

        let reader: ResponseReader

        /// Walks the body.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let reader: ResponseReader

            /// The next run of bytes; `nil` at the end of a body that is whole.
            ///
            /// Throws ``HTTPClientError`` when the body ends early, or nothing comes for too long.
            public mutating func next() async throws -> [UInt8]? {
                try await reader.loop.confine { [reader] in try await reader.next() }
            }
        }

        /// Walks what has not been read.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

        /// The rest of the body, at most `byteCountMax` bytes.
        ///
        /// Throws ``HTTPClientError`` with ``HTTPClientError/Kind/tooLarge`` when there are more.
        public func collect(upTo byteCountMax: Int) async throws -> [UInt8] {
            try await reader.loop.confine { [reader] in
                var all: [UInt8] = []
                while let piece = try await reader.next() {
                    guard piece.count <= byteCountMax - all.count else {
                        throw HTTPClientError(
                            .tooLarge, "the answer is longer than \(byteCountMax) bytes")
                    }
                    all += piece
                }
                return all
            }
        }

        /// Fields that followed a body which came in chunks; empty before its end.
        public var trailers: HTTPFields {
            get async throws {
                try await reader.loop.confine { [reader] in reader.trailers }
            }
        }
    }

    /// An answer with all of its body.
    public struct Answer: Sendable, Hashable {
        /// Status and fields.
        public let head: HTTPResponse
        /// Where it came from, after all redirects.
        public let url: HTTPURL
        /// The interim answers (1xx) that came before it.
        public let interim: [HTTPResponse]
        /// The body.
        public let body: [UInt8]

        /// The status.
        public var status: HTTPResponse.Status { head.status }
        /// The fields.
        public var fields: HTTPFields { head.headerFields }
        /// An answer that was put together.
        package init(
            head: HTTPResponse, url: HTTPURL, interim: [HTTPResponse], body: [UInt8]
        ) {
            self.head = head
            self.url = url
            self.interim = interim
            self.body = body
        }

        /// The body as text; what is no UTF-8 is replaced.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }
}
