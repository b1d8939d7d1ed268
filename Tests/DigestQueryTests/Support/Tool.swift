import Foundation
import Testing

/// The built executable, which lies in the build directory of the tests.
enum Tool {
  static let name = "digest-query"

  /// Finds the executable, from the test runner or the test bundle upwards.
  ///
  /// - Throws: an `ExpectationFailedError` when it has not been built.
  static func url() throws -> URL {
    try #require(
      found,
      "\(name) was not found above \(origins.map(\.path)); build it first: swift build"
    )
  }

  private static let found: URL? = origins.lazy.flatMap(ancestors).map {
    $0.appendingPathComponent(name)
  }.first(where: isExecutable)

  /// The runner is the bundle itself on Linux, and is told of it on macOS.
  private static let origins: [URL] =
    [Bundle.main.executableURL].compactMap { $0 }
    + CommandLine.arguments.filter { $0.hasPrefix("/") }.map { URL(fileURLWithPath: $0) }

  private static func ancestors(_ url: URL) -> [URL] {
    // NAME.xctest/Contents/MacOS/NAME is the deepest that a bundle has.
    (0..<4).reduce(into: [url.deletingLastPathComponent()]) { urls, _ in
      urls.append((urls.last ?? url).deletingLastPathComponent())
    }
  }

  private static func isExecutable(_ url: URL) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
      && !isDirectory.boolValue && FileManager.default.isExecutableFile(atPath: url.path)
  }
}

/// Programs of others that some tests run. `Scripts/setup-tests` installs them.
enum Program {
  static func find(_ name: String) -> URL? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first(where: FileManager.default.isExecutableFile).map { URL(filePath: $0) }
  }

  static func url(_ name: String) throws -> URL { try #require(find(name)) }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test where programs are missing.
  static func needs(_ programs: String...) -> Self {
    .enabled(
      if: programs.allSatisfy { Program.find($0) != nil },
      "needs \(programs.joined(separator: " and ")), which Scripts/setup-tests installs")
  }

  /// Skips a test for root, who may read and write everything.
  static var unprivileged: Self { .enabled(if: getuid() != 0, "root may write everywhere") }

  /// Skips a test where there is no device that is always full.
  static var needsFullDevice: Self {
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full")
  }
}
