// swift-tools-version: 6.2

// The libraries and their tests. On a Mac those that start no process: what runs on a phone and in
// its simulator.
//
// A package of its own, because the scheme that Xcode makes of a package has all of its tests, and
// because a build with sanitizers takes half as long without the tool and its tests.

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

// Optimizing the tests would take most of a release build. What they test is optimized.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

#if canImport(Darwin)
  let processTests: [Target] = []
#else
  let processTests: [Target] = [
    .testTarget(
      name: "ResilientDecodingProcessTests",
      dependencies: ["ResilientDecoding", "ResilientDecodingTests", "ResilientPlatform"],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "DigestStoreProcessTests",
      dependencies: ["DigestStore", "DigestStoreTests", "ResilientDecoding", "ResilientPlatform"],
      swiftSettings: testSettings
    ),
  ]
#endif

let package = Package(
  name: "Portable",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "ResilientDecoding", targets: ["ResilientDecoding"]),
    .library(name: "ResilientDocuments", targets: ["ResilientDocuments"]),
    .library(name: "DigestStore", targets: ["DigestStore"]),
  ],
  targets: [
    .systemLibrary(name: "CResilientAtomics"),
    .systemLibrary(name: "CSQLite"),
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
    .target(
      name: "ResilientDocuments",
      dependencies: ["ResilientDecoding", "ResilientPlatform"],
      swiftSettings: settings
    ),
    .target(
      name: "DigestStore",
      dependencies: ["CResilientAtomics", "CSQLite", "ResilientDecoding", "ResilientPlatform"],
      exclude: ["PrivacyInfo.xcprivacy"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ResilientDecodingTests",
      dependencies: ["ResilientDecoding", "ResilientDocuments", "ResilientPlatform"],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "ResilientDocumentsTests",
      dependencies: [
        "ResilientDecoding", "ResilientDecodingTests", "ResilientDocuments", "ResilientPlatform",
      ],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "DigestStoreTests",
      dependencies: [
        "CSQLite", "DigestStore", "ResilientDecoding", "ResilientDocuments", "ResilientPlatform",
      ],
      exclude: ["Reports/SQL", "File/schema-1.store"],
      swiftSettings: testSettings
    ),
  ] + processTests,
  swiftLanguageModes: [.v6]
)
