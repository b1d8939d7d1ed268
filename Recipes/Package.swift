// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

let libraries: [Target.Dependency] = [
  .product(name: "DigestStore", package: "ResilientDecoding"),
  .product(name: "ResilientDecoding", package: "ResilientDecoding"),
]

let package = Package(
  name: "Recipes",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "ResilientDecoding", path: "..", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.5.1"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    .target(
      name: "RecipesLogging",
      dependencies: libraries + [.product(name: "Logging", package: "swift-log")],
      swiftSettings: settings
    ),
    .target(
      name: "RecipesMetrics",
      dependencies: libraries + [.product(name: "Metrics", package: "swift-metrics")],
      swiftSettings: settings
    ),
    .target(
      name: "RecipesHummingbird",
      dependencies: libraries + [.product(name: "Hummingbird", package: "hummingbird")],
      swiftSettings: settings
    ),
    .target(
      name: "RecipesOpenAPI",
      dependencies: libraries + [.product(name: "HTTPTypes", package: "swift-http-types")],
      swiftSettings: settings
    ),
    .target(
      name: "RecipesURLSession",
      dependencies: libraries,
      swiftSettings: settings
    ),
    .target(
      name: "TestSupport",
      dependencies: libraries,
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    .testTarget(
      name: "RecipesLoggingTests",
      dependencies: libraries + [
        "RecipesLogging", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RecipesMetricsTests",
      dependencies: libraries + [
        "RecipesMetrics", "TestSupport",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RecipesHummingbirdTests",
      dependencies: libraries + [
        "RecipesHummingbird", "TestSupport",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RecipesOpenAPITests",
      dependencies: libraries + [
        "RecipesOpenAPI", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RecipesURLSessionTests",
      dependencies: libraries + ["RecipesURLSession", "TestSupport"],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
