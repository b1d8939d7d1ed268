// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Interop",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "ResilientDecoding", path: "../.."),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/CoreOffice/XMLCoder", from: "0.18.2"),
  ],
  targets: [
    .testTarget(
      name: "InteropTests",
      dependencies: [
        .product(name: "ResilientDecoding", package: "ResilientDecoding"),
        .product(name: "Yams", package: "Yams"),
        .product(name: "XMLCoder", package: "XMLCoder"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
      ]
    ),
    .target(
      name: "AppModels",
      dependencies: [.product(name: "ResilientDecoding", package: "ResilientDecoding")]
    ),
    .testTarget(
      name: "ReexportTests",
      dependencies: ["AppModels"],
      swiftSettings: [
        .swiftLanguageMode(.v5), .enableUpcomingFeature("MemberImportVisibility"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
