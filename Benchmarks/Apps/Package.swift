// swift-tools-version: 6.2

// Two small apps, one with the library and one without: what the library adds to an app.
//
// A package of its own, because it needs no other package.

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "Apps",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "ResilientDecoding", path: "../..", traits: [])],
  targets: [
    .executableTarget(name: "PlainApp", swiftSettings: settings),
    .executableTarget(
      name: "ResilientApp",
      dependencies: [.product(name: "ResilientDecoding", package: "ResilientDecoding")],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
