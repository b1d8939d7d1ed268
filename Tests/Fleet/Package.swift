// swift-tools-version: 6.2

import PackageDescription

// A package of its own: its tests need a server, which Scripts/test-fleet starts.
let package = Package(
  name: "Fleet",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ResilientDecoding", path: "../..")],
  targets: [
    .testTarget(
      name: "FleetTests",
      dependencies: [.product(name: "DigestStore", package: "ResilientDecoding")],
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
