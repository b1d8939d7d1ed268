// swift-tools-version: 6.2

import PackageDescription

/// What every target is compiled with: C types cannot leak into public API, a member is only seen
/// through an import of its module, and an existential says `any`.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Resolved only for the tool, so that apps with the trait disabled resolve no other package.
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser",
  condition: .when(traits: ["CommandLine"]))

#if canImport(Darwin)
  /// What Apple's store wants to know of each library that an app links.
  let privacy = (resources: [Resource.copy("PrivacyInfo.xcprivacy")], exclude: [String]())
#else
  // A resource would make the target import all of Foundation.
  let privacy = (resources: [Resource](), exclude: ["PrivacyInfo.xcprivacy"])
#endif

/// Reads YAML. Resolved only for the tool with this trait.
let yams = Target.Dependency.product(
  name: "Yams", package: "Yams", condition: .when(traits: ["OpenAPI"]))

/// The packages of the collector. Resolved only for the tool with this trait.
let server = [
  ("HTTPTypes", "swift-http-types"), ("Hummingbird", "hummingbird"),
  ("HummingbirdCore", "hummingbird"), ("Logging", "swift-log"), ("NIOCore", "swift-nio"),
  ("NIOHTTPTypes", "swift-nio-extras"), ("ServiceLifecycle", "swift-service-lifecycle"),
  ("Subprocess", "swift-subprocess"), ("UnixSignals", "swift-service-lifecycle"),
].map { name, package in
  Target.Dependency.product(name: name, package: package, condition: .when(traits: ["Server"]))
}

let package = Package(
  name: "ResilientDecoding",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "ResilientDecoding", targets: ["ResilientDecoding"]),
    .library(name: "ResilientDocuments", targets: ["ResilientDocuments"]),
    .library(name: "DigestStore", targets: ["DigestStore"]),
    .library(name: "DigestUpload", targets: ["DigestUpload"]),
    .executable(name: "digest-query", targets: ["digest-query"]),
  ],
  traits: [
    .default(enabledTraits: ["CommandLine"]),
    .trait(
      name: "CommandLine",
      description: "digest-query; needs swift-argument-parser. The libraries need nothing."
    ),
    .trait(
      name: "OpenAPI",
      description: "digest-query reads API descriptions in YAML, too; needs Yams.",
      enabledTraits: ["CommandLine"]
    ),
    .trait(
      name: "PostgreSQL",
      description: "A fleet of stores in PostgreSQL; needs libpq.",
      enabledTraits: ["CommandLine"]
    ),
    .trait(
      name: "ClickHouse",
      description: "A fleet of stores in ClickHouse; needs libcurl.",
      enabledTraits: ["CommandLine"]
    ),
    .trait(
      name: "Server",
      description: "digest-query serve, a collector for apps; needs Hummingbird.",
      enabledTraits: ["CommandLine"]
    ),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    .systemLibrary(name: "CResilientAtomics"),
    .target(
      name: "ResilientPlatform",
      dependencies: ["CResilientAtomics"],
      swiftSettings: settings
    ),
    .target(
      name: "ResilientDecoding",
      dependencies: ["ResilientPlatform"],
      swiftSettings: settings
    ),
    // Not in ResilientDecoding, so that an app that needs no key paths does not contain their code.
    .target(
      name: "ResilientDocuments",
      dependencies: ["ResilientDecoding", "ResilientPlatform"],
      swiftSettings: settings
    ),
    // Without pkgConfig, which on a Mac with Homebrew would link Homebrew's SQLite into every app,
    // also one for a phone.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "DigestStore",
      dependencies: ["CResilientAtomics", "CSQLite", "ResilientDecoding", "ResilientPlatform"],
      exclude: privacy.exclude,
      resources: privacy.resources,
      swiftSettings: settings
    ),
    // Not in DigestStore, which needs no network.
    .target(
      name: "DigestUpload",
      dependencies: ["DigestStore", "ResilientPlatform"],
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "CPostgreSQL",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
    ),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(
      name: "DigestFleet",
      dependencies: [
        "DigestStore",
        "ResilientPlatform",
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
        .target(name: "CCurl", condition: .when(traits: ["ClickHouse"])),
      ],
      resources: [.embedInCode("PostgreSQL/fleet.sql")],
      swiftSettings: settings
    ),
    .target(
      name: "DigestServer",
      dependencies: ["DigestStore", "ResilientPlatform"] + server,
      swiftSettings: settings
    ),
    .target(
      name: "APIContract",
      dependencies: ["ResilientDecoding", "ResilientPlatform", yams],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "digest-query",
      dependencies: [
        "APIContract",
        "DigestFleet",
        "DigestServer",
        "DigestStore",
        .target(name: "DigestUpload", condition: .when(traits: ["Server"])),
        "ResilientPlatform",
        argumentParser,
      ],
      resources: [
        .embedInCode("Page/live.js"), .embedInCode("Page/report.css"),
        .embedInCode("Page/report.js"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ResilientDecodingTests",
      dependencies: ["ResilientDecoding", "ResilientDocuments", "ResilientPlatform"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ResilientDocumentsTests",
      dependencies: [
        "ResilientDecoding", "ResilientDecodingTests", "ResilientDocuments", "ResilientPlatform",
      ],
      swiftSettings: settings
    ),
    // Tests that start processes, which phones and their simulators do not have.
    .testTarget(
      name: "ResilientDecodingProcessTests",
      dependencies: ["ResilientDecoding", "ResilientDecodingTests", "ResilientPlatform"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "MainActorTests",
      dependencies: ["ResilientDecoding"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]
    ),
    .testTarget(
      name: "DigestStoreTests",
      dependencies: [
        "CSQLite", "DigestStore", "ResilientDecoding", "ResilientDocuments", "ResilientPlatform",
      ],
      exclude: ["Reports/SQL", "File/schema-1.store"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DigestStoreProcessTests",
      dependencies: ["DigestStore", "DigestStoreTests", "ResilientDecoding", "ResilientPlatform"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DigestUploadTests",
      dependencies: [
        "DigestStore", "DigestStoreTests", "DigestUpload", "ResilientDecoding", "ResilientPlatform",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APIContractTests",
      dependencies: ["APIContract", "ResilientDecoding", "ResilientPlatform"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DigestFleetTests",
      dependencies: [
        "DigestFleet", "DigestStore", "DigestStoreProcessTests", "DigestStoreTests",
        "ResilientDecoding",
      ],
      swiftSettings: settings
    ),
    // Starts digest-query serve, with the trait Server.
    .testTarget(
      name: "DigestServerTests",
      dependencies: [
        "digest-query", "DigestServer", "DigestStore", "DigestStoreTests", "DigestUpload",
        "ResilientPlatform",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DigestQueryTests",
      dependencies: [
        "CSQLite",
        "digest-query",
        "DigestStore",
        "ResilientDecoding",
        "ResilientPlatform",
        argumentParser,
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
