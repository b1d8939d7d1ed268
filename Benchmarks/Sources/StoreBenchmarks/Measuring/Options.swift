import Foundation

/// The options of a run, and the paths of its programs and files.
struct Options: Sendable {
  let rounds: Int

  /// The numbers of occurrences in the stores that reports read.
  let sizes: [Int]

  /// The directory that keeps stores between runs.
  let cache: URL

  /// The path of digest-query, built for release.
  let query: String

  /// The path of a program that runs and measures another one.
  let runner: String

  /// The path of a Python with the module `duckdb`; nil if there is none.
  let python: String?

  /// The script for that Python.
  let duckDBScript: String

  /// The number of occurrences for slow measurements: the largest up to a million.
  var mediumSize: Int { sizes.filter { $0 <= 1_000_000 }.max() ?? sizes.min() ?? 1_000_000 }

  /// Calls `body` with the path of a file that does not exist yet, and then deletes the file.
  func withTemporaryFile<Value>(_ body: (String) throws -> Value) throws -> Value {
    let directory = cache.appending(path: "run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }  // Only left behind.
    return try body(directory.appending(path: "file").path)
  }
}
