// swift-tools-version: 6.2
import PackageDescription

// WHARF_CI makes every warning an error; WHARF_FUZZ adds the fuzz targets (see Fuzz/README.md).
let strict = Context.environment["WHARF_CI"] != nil
let fuzzing = Context.environment["WHARF_FUZZ"] != nil

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .strictMemorySafety(),
    ] + (strict ? [.treatAllWarnings(as: .error)] : [])

let fuzzFlags: [SwiftSetting] =
    fuzzing ? [.unsafeFlags(["-parse-as-library", "-sanitize=fuzzer,address"])] : []

let openSSL: Target.Dependency = .target(name: "COpenSSL", condition: .when(platforms: [.linux]))

let miniUPnP: Target.Dependency = .target(
    name: "CMiniUPnPc", condition: .when(traits: ["PortMapping"]))

/// Programs that show how one thing is done, with what each uses beside the umbrella; a test runs them.
let examples: KeyValuePairs<String, [Target.Dependency]> = [
    "BLIPChat": ["WharfBLIP"], "BLIPEcho": ["WharfBLIP"], "BLIPFiles": ["WharfBLIP"],
    "Bonjour": [], "ClientCertificates": [], "Events": [], "Form": [], "Hello": [], "Login": [],
    "Redirect": [],
    "Resumable": ["WharfUploads"],
    "SendFile": ["WharfHTTPClient", "WharfUploadClient"],
    "Streaming": [], "TLS": [], "TemplateSite": [], "Upload": [],
]

// What the umbrella exports is named too: SwiftPM does not rebuild a user of a module that only
// exports others when those change, and the program then crashes.
let umbrella: [Target.Dependency] = [
    "Wharf", "WharfHTTP", "WharfNet", "WharfServer", "WharfWebSocket", "WharfWebSocketCodec",
]

let package = Package(
    name: "wharf",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Wharf", targets: ["Wharf"]),
        .library(name: "WharfWebDAV", targets: ["WharfWebDAV"]),
        .library(name: "WharfBLIP", targets: ["WharfBLIP", "WharfBLIPEngine"]),
        .library(name: "WharfUploads", targets: ["WharfUploads"]),
        .library(name: "WharfPage", targets: ["WharfPage"]),
        .library(name: "WharfHTTPClient", targets: ["WharfHTTPClient"]),
        .library(name: "WharfUploadClient", targets: ["WharfUploadClient"]),
        .library(name: "WharfURLSession", targets: ["WharfURLSession"]),
        .library(name: "WharfTesting", targets: ["WharfTesting"]),
        .executable(name: "wharf", targets: ["WharfCommand"]),
        .executable(name: "conformance-server", targets: ["ConformanceServer"]),
    ],
    traits: [
        .trait(
            name: "PortMapping",
            description: "Ask routers for ports by UPnP too (libminiupnpc), not by NAT-PMP alone.")
    ],
    targets: [
        // 0: C shims and system libraries
        .target(name: "CWharf"),
        .systemLibrary(
            name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CMiniUPnPc",
            providers: [.apt(["libminiupnpc-dev"]), .brew(["miniupnpc"])]),

        // 1: pure codecs; beside them the one impure module
        .target(name: "WharfHTTP", dependencies: ["CZlib"], swiftSettings: fuzzFlags + settings),
        .target(name: "WharfCrypto", dependencies: [openSSL], swiftSettings: settings),
        .target(
            name: "WharfNet", dependencies: ["CWharf", miniUPnP, openSSL],
            swiftSettings: settings),

        .target(name: "WharfStore", dependencies: ["CSQLite"], swiftSettings: settings),

        // 2: the server
        .target(
            name: "WharfServer", dependencies: ["WharfCrypto", "WharfHTTP", "WharfNet"],
            swiftSettings: settings),

        // 2: the client
        .target(
            name: "WharfHTTPClient", dependencies: ["WharfCrypto", "WharfHTTP", "WharfNet"],
            swiftSettings: settings),

        // 2: WebSocket as a pure codec
        .target(
            name: "WharfWebSocketCodec", dependencies: ["WharfCrypto", "WharfHTTP"],
            swiftSettings: fuzzFlags + settings),

        // 2: BLIP without a connection
        .target(
            name: "WharfBLIPEngine", dependencies: ["WharfHTTP"],
            swiftSettings: fuzzFlags + settings),

        // 3: WebSocket connections, and what tests of servers use
        .target(
            name: "WharfWebSocket",
            dependencies: [
                "WharfCrypto", "WharfHTTP", "WharfNet", "WharfServer", "WharfWebSocketCodec",
            ],
            swiftSettings: settings),
        .target(
            name: "WharfTesting", dependencies: ["WharfHTTP", "WharfNet", "WharfServer"],
            swiftSettings: settings),

        // 3: files to a server
        .target(
            name: "WharfUploadClient",
            dependencies: ["WharfCrypto", "WharfHTTP", "WharfHTTPClient", "WharfNet"],
            swiftSettings: settings),

        // 4: forms for a session of Foundation's, which nothing else needs
        .target(
            name: "WharfURLSession",
            dependencies: ["WharfHTTP", "WharfHTTPClient", "WharfNet", "WharfUploadClient"],
            swiftSettings: settings),

        // 4: what is built on the server
        .target(
            name: "WharfUploads",
            dependencies: ["WharfCrypto", "WharfHTTP", "WharfNet", "WharfServer", "WharfStore"],
            swiftSettings: settings),
        .target(
            name: "WharfWebDAV",
            dependencies: [
                "CLibXML2", "WharfCrypto", "WharfHTTP", "WharfNet", "WharfServer", "WharfStore",
            ],
            swiftSettings: fuzzFlags + settings),
        .target(
            name: "WharfBLIP",
            dependencies: [
                "WharfBLIPEngine", "WharfHTTP", "WharfHTTPClient", "WharfNet", "WharfServer",
                "WharfWebSocket", "WharfWebSocketCodec",
            ],
            swiftSettings: settings),

        // 5: page and drive on one URL
        .target(name: "CAssets", exclude: ["web"]),
        .target(
            name: "WharfPage",
            dependencies: [
                "CAssets", "WharfCrypto", "WharfHTTP", "WharfNet", "WharfServer", "WharfUploads",
                "WharfWebDAV",
            ],
            swiftSettings: settings),

        // The umbrella
        .target(
            name: "Wharf",
            dependencies: [
                "WharfHTTP", "WharfNet", "WharfServer", "WharfWebSocket", "WharfWebSocketCodec",
            ],
            swiftSettings: settings),

        // 6: programs
        .executableTarget(
            name: "WharfCommand",
            dependencies: [
                "CWharf", "WharfBLIP", "WharfBLIPEngine", "WharfHTTP", "WharfHTTPClient",
                "WharfNet", "WharfPage", "WharfServer", "WharfUploadClient", "WharfUploads",
                "WharfWebDAV",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ConformanceServer",
            dependencies: umbrella + ["WharfBLIP", "WharfBLIPEngine"],
            path: "Examples/ConformanceServer", swiftSettings: settings),

        .executableTarget(
            name: "multipart-benchmark", dependencies: ["WharfHTTP"],
            path: "Benchmarks/Multipart", swiftSettings: settings),
        .executableTarget(
            name: "blip-benchmark", dependencies: ["WharfBLIP", "WharfBLIPEngine", "WharfNet"],
            path: "Benchmarks/BLIP", swiftSettings: settings),

        // What the tests share
        .target(
            name: "TestSupport", dependencies: ["WharfHTTP", "WharfNet"], path: "Tests/TestSupport",
            swiftSettings: settings),

        // The poller of Apple systems, run on Linux over an imitation of kqueue
        .target(name: "CKqueueShim", path: "Tests/CKqueueShim"),
        .target(
            name: "KqueuePoller", dependencies: ["CKqueueShim", "WharfNet"],
            path: "Tests/KqueuePoller",
            swiftSettings: settings + [.define("KQUEUE_SHIM", .when(platforms: [.linux]))]),

        .testTarget(
            name: "WharfHTTPTests", dependencies: ["WharfCrypto", "WharfHTTP"],
            swiftSettings: settings),
        .testTarget(
            name: "WharfCryptoTests", dependencies: ["WharfCrypto"], swiftSettings: settings),
        .testTarget(
            name: "WharfNetTests",
            dependencies: ["CWharf", "KqueuePoller", "TestSupport", "WharfNet", "WharfTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "WharfServerTests",
            dependencies: [
                "KqueuePoller", "TestSupport", "WharfCrypto", "WharfHTTP", "WharfNet",
                "WharfServer", "WharfTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WharfWebSocketTests",
            dependencies: [
                "TestSupport", "WharfCrypto", "WharfHTTP", "WharfNet", "WharfServer",
                "WharfTesting",
                "WharfWebSocket", "WharfWebSocketCodec",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WharfBLIPTests",
            dependencies: [
                "WharfBLIP", "WharfBLIPEngine", "WharfHTTP", "WharfHTTPClient", "WharfNet",
                "WharfServer", "WharfTesting", "WharfWebSocket", "WharfWebSocketCodec",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WharfStoreTests", dependencies: ["TestSupport", "WharfStore"],
            swiftSettings: settings),
        .testTarget(
            name: "WharfWebDAVTests",
            dependencies: [
                "TestSupport", "WharfHTTP", "WharfNet", "WharfServer", "WharfStore", "WharfTesting",
                "WharfWebDAV",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WharfUploadsTests",
            dependencies: [
                "TestSupport", "WharfCrypto", "WharfHTTP", "WharfNet", "WharfServer", "WharfStore",
                "WharfTesting", "WharfUploads",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WharfPageTests",
            dependencies: [
                "TestSupport", "WharfHTTP", "WharfNet", "WharfPage", "WharfServer", "WharfTesting",
                "WharfUploads", "WharfWebDAV",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WharfHTTPClientTests",
            dependencies: [
                "TestSupport", "WharfHTTP", "WharfHTTPClient", "WharfNet", "WharfServer",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WharfUploadClientTests",
            dependencies: [
                "TestSupport", "WharfHTTP", "WharfHTTPClient", "WharfNet", "WharfServer",
                "WharfTesting", "WharfURLSession", "WharfUploadClient", "WharfUploads",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WharfCommandTests",
            dependencies: [
                "TestSupport", "WharfCommand", "WharfHTTP", "WharfNet", "WharfServer",
                "WharfUploadClient",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ExampleTests",
            dependencies: umbrella + ["TestSupport", "WharfTesting"]
                + examples.map { .target(name: $0.key) },
            swiftSettings: settings),
        .testTarget(name: "TidyTests", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

for (name, others) in examples {
    package.targets.append(
        .executableTarget(
            name: name, dependencies: umbrella + others, path: "Examples/\(name)",
            exclude: name == "BLIPChat" ? ["Pages"] : [], swiftSettings: settings))
}

if fuzzing {
    let fuzzed = [
        "WharfHTTP": [
            "FuzzBasic", "FuzzChunked", "FuzzClientExchange", "FuzzConditions",
            "FuzzContentDisposition", "FuzzCookies",
            "FuzzDigest", "FuzzForm", "FuzzMultipart", "FuzzPath", "FuzzRange", "FuzzRequestHead",
            "FuzzResponseHead", "FuzzStructuredFields", "FuzzUploadFields",
        ],
        "WharfWebDAV": ["FuzzDriveFields", "FuzzIfHeader", "FuzzXML"],
        "WharfWebSocketCodec": ["FuzzWebSocket", "FuzzWebSocketDeflate"],
        "WharfBLIPEngine": ["FuzzBLIP"],
    ]
    for (module, names) in fuzzed {
        for name in names {
            package.targets.append(
                .executableTarget(
                    name: name, dependencies: [.byName(name: module)], path: "Fuzz/\(name)",
                    swiftSettings: fuzzFlags + settings,
                    linkerSettings: [
                        .unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])
                    ]))
        }
    }
}

// WHARF_TESTS=WharfHTTPTests,TidyTests builds only these tests, and no examples but what they use.
if let wanted = Context.environment["WHARF_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
    if !wanted.contains("ExampleTests") {
        let names = examples.map(\.key)
        package.targets.removeAll { names.contains($0.name) }
    }
}
