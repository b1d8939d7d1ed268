// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Torture",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "ResilientDecoding", path: "..")
  ],
  targets: [
    .target(
      name: "CPowerCut",
      linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    .executableTarget(
      name: "Torture",
      dependencies: [
        "CPowerCut",
        .product(name: "DigestStore", package: "ResilientDecoding"),
        .product(name: "ResilientDecoding", package: "ResilientDecoding"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
