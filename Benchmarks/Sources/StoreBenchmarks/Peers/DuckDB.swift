import Foundation

/// DuckDB, through the module for Python, where that is installed.
struct DuckDB {
  let plan: Plan

  /// Makes a database of a CSV file.
  func load(_ csv: String, into path: String) throws {
    _ = try run(["load", csv, path])
  }

  /// The milliseconds that a query takes in process, the best of some runs.
  func milliseconds(_ sql: String, on path: String) throws -> Double {
    guard let milliseconds = Double(try run(["query", path, sql])) else {
      throw Broken("DuckDB has not said how long a query took")
    }
    return milliseconds
  }

  private func run(_ arguments: [String]) throws -> String {
    guard let python = plan.python else { throw Skipped("no Python with the module duckdb") }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: python)
    process.arguments = [plan.duckDBScript] + arguments
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Broken("DuckDB has failed") }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
