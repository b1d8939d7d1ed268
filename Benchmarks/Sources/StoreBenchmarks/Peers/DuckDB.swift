import Foundation

/// DuckDB, through its Python module if that is installed.
struct DuckDB {
  let options: Options

  /// Creates a database from a CSV file.
  func load(_ csv: String, into path: String) throws {
    _ = try run(["load", csv, path])
  }

  /// Returns how many milliseconds a query takes in the Python process: the best of several runs.
  func milliseconds(_ sql: String, on path: String) throws -> Double {
    guard let milliseconds = Double(try run(["query", path, sql])) else {
      throw BenchmarkError("DuckDB did not print the time of a query")
    }
    return milliseconds
  }

  private func run(_ arguments: [String]) throws -> String {
    guard let python = options.python else { throw Skipped("no Python with the module duckdb") }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: python)
    process.arguments = [options.duckDBScript] + arguments
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkError("DuckDB failed") }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
