import Foundation

/// What a run was asked for, and where it finds what it needs.
struct Plan: Sendable {
  let rounds: Int

  /// How many occurrences the stores have that reports are asked of.
  let sizes: [Int]

  /// Where stores are kept between runs.
  let cache: URL

  /// The command, built for release.
  let query: String

  /// Runs a program and measures it.
  let runner: String

  /// A Python that has the module `duckdb`, if there is one.
  let python: String?

  /// The script that it runs.
  let duckDBScript: String

  /// The size at which what takes long is measured: the largest up to a million.
  var mediumSize: Int { sizes.filter { $0 <= 1_000_000 }.max() ?? sizes.min() ?? 1_000_000 }

  /// Runs something with the path of a file that is not there yet, and deletes what it made of it.
  func withTemporaryFile<Value>(_ body: (String) throws -> Value) throws -> Value {
    let directory = cache.appending(path: "run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }  // Only left behind.
    return try body(directory.appending(path: "file").path)
  }
}
