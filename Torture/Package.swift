// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Torture",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "Torture", targets: ["Torture"]),
    // Loaded before the C library by the processes whose calls fail.
    .library(name: "FailingCalls", type: .dynamic, targets: ["CFailingCalls"]),
  ],
  dependencies: [
    .package(name: "ResilientDecoding", path: "..")
  ],
  targets: [
    .target(
      name: "CPowerCut",
      linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    .target(name: "CFailingCalls"),
    .executableTarget(
      name: "Torture",
      dependencies: [
        "CPowerCut",
        .product(name: "DigestStore", package: "ResilientDecoding"),
        .product(name: "ResilientDecoding", package: "ResilientDecoding"),
        .product(name: "ResilientDocuments", package: "ResilientDecoding"),
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
