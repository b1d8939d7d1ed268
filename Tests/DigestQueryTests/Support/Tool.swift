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

/// SQLite's own shell, with which tests alter a store behind the tool's back.
enum SQLiteShell {
  static let url: URL? = [
    "/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3",
  ]
  .first(where: FileManager.default.isExecutableFile).map { URL(fileURLWithPath: $0) }

  static var isInstalled: Bool { url != nil }
}
