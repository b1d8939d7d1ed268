import DigestStore
import Foundation
import Synchronization

/// The files of a history for each program in the comparison. They are made once, and kept between
/// runs.
struct Files {
  /// Increase this when a history changes.
  private static let version = 3

  let options: Options
  let shape: Shape
  let occurrences: Int

  /// The digest store.
  func store() throws -> String {
    try cached("store-schema\(try options.schema()).sqlite") { path in
      let history = try History(shape, occurrences: occurrences)
      let moment = Mutex<Int64>(0)
      let failures = Mutex(0)
      let store = try DigestStore(
        path: path,
        configuration: DigestStore.Configuration(
          onWriteFailure: { _ in failures.withLock { $0 += 1 } },
          clock: { Date(timeIntervalSince1970: Double(moment.withLock { $0 }) / 1_000) }
        )
      )
      history.replay { index, time, release, operation in
        let decode = history.decodes[index]
        moment.withLock { $0 = time }
        store.record(
          decode.digest, model: Shape.models[decode.model], release: release, operation: operation)
      }
      try store.close()
      guard failures.withLock({ $0 }) == 0 else {
        throw BenchmarkError("Writing to a store failed")
      }
    }
  }

  /// A flat table in SQLite.
  func flatTable() throws -> String {
    try cached("flat.sqlite") { path in
      let history = try History(shape, occurrences: occurrences)
      let table = try FlatTable(path: path, errors: LoopErrors(history.decodes))
      try table.transaction {
        try history.replay { decode, time, release, _ in
          try table.add(decode, at: time, release: release)
        }
      }
    }
  }

  /// The flat table as CSV.
  func csv() throws -> String {
    let table = try flatTable()
    return try cached("flat.csv") { path in
      let arguments = ["sqlite3", "-csv", "-header", table, "SELECT * FROM occurrence"]
      _ = try Program(arguments: arguments, output: path).run(options)
    }
  }

  /// The flat table in DuckDB.
  func duckDB() throws -> String {
    let csv = try csv()
    return try cached("flat.duckdb") { try DuckDB(options: options).load(csv, into: $0) }
  }

  /// The store as NDJSON.
  func ndjson() throws -> String {
    let store = try store()
    return try cached("digests.ndjson") { path in
      let arguments = [options.query, "export", "--store", store]
      _ = try Program(arguments: arguments, output: path).run(options)
    }
  }

  /// The length of a file and its log in bytes.
  func bytes(_ path: String) -> Int { size(of: path) + size(of: path + "-wal") }

  /// The bytes of a file and its log for each occurrence.
  func bytesPerOccurrence(_ path: String) throws -> Double {
    Double(bytes(path)) / Double(occurrences)
  }

  private func size(of path: String) -> Int {
    // A missing file takes no space.
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// Returns a file of the cache, and makes it first if it does not exist.
  private func cached(_ name: String, make: (String) throws -> Void) throws -> String {
    let name = "v\(Self.version)-\(shape.rawValue)-\(occurrences)-\(name)"
    let file = options.cache.appending(path: name)
    if FileManager.default.fileExists(atPath: file.path) { return file.path }
    FileHandle.standardError.write(Data("making \(name) …\n".utf8))
    try options.withTemporaryFile { path in
      try make(path)
      try FileManager.default.moveItem(atPath: path, toPath: file.path)
    }
    return file.path
  }
}

extension Options {
  /// The version of the schema, from the header of a new store (SQLite, "Database File Format",
  /// 1.3).
  fileprivate func schema() throws -> Int {
    try withTemporaryFile { path in
      try DigestStore(path: path).close()
      let header = try Data(contentsOf: URL(filePath: path)).prefix(64)
      return header.suffix(4).reduce(0) { $0 << 8 | Int($1) }
    }
  }
}
