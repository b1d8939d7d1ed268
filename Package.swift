// swift-tools-version: 6.2

import PackageDescription

/// What every target is compiled with: C types cannot leak into public API, a member is only seen
/// through an import of its module, and an existential says `any`.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ResilientDecoding",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ResilientDecoding", targets: ["ResilientDecoding"]),
    .library(name: "DigestStore", targets: ["DigestStore"]),
    .executable(name: "digest-query", targets: ["digest-query"]),
  ],
  traits: [
    .trait(
      name: "PostgreSQL",
      description: "digest-query push: many stores in one PostgreSQL; needs libpq."
    )
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .target(name: "ResilientPlatform", swiftSettings: settings),
    .target(
      name: "ResilientDecoding",
      dependencies: ["ResilientPlatform"],
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .target(
      name: "DigestStore",
      dependencies: ["CSQLite", "ResilientDecoding", "ResilientPlatform"],
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "CPostgreSQL",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
    ),
    .target(
      name: "DigestFleet",
      dependencies: [
        "DigestStore",
        "ResilientDecoding",
        "ResilientPlatform",
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "digest-query",
      dependencies: [
        "DigestFleet",
        "DigestStore",
        "ResilientPlatform",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [.embedInCode("Page/report.css"), .embedInCode("Page/report.js")],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ResilientDecodingTests",
      dependencies: ["ResilientDecoding", "ResilientPlatform"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DigestStoreTests",
      dependencies: ["DigestStore", "ResilientDecoding", "ResilientPlatform"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DigestFleetTests",
      dependencies: ["DigestFleet", "ResilientPlatform"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DigestQueryTests",
      dependencies: [
        "digest-query",
        "DigestStore",
        "ResilientDecoding",
        "ResilientPlatform",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
