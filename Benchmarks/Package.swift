// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "ResilientDecoding", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // What the store is held against: exactly this one, so that figures can be compared.
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    // The statements of the store, and those of a flat table, in C on the same SQLite.
    .target(
      name: "CLoops",
      cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    // Runs a program and says its time and memory; small, for a child begins with its parent's.
    .executableTarget(name: "RunMeasured", cSettings: [.unsafeFlags(["-O2"])]),
    .target(name: "Reporting", swiftSettings: settings),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Reporting",
        .product(name: "ResilientDecoding", package: "ResilientDecoding"),
        .product(name: "ResilientDocuments", package: "ResilientDecoding"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "StoreBenchmarks",
      dependencies: [
        "Reporting",
        "CLoops",
        .product(name: "ResilientDecoding", package: "ResilientDecoding"),
        .product(name: "DigestStore", package: "ResilientDecoding"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
