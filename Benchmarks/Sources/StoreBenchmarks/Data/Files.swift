import DigestStore
import Foundation
import Synchronization

/// A history in all the forms that are held against each other; made once, and kept between runs.
struct Files {
  /// To be raised when a history becomes another one.
  private static let version = 1

  let plan: Plan
  let shape: Shape
  let occurrences: Int

  /// The digest store.
  func store() throws -> String {
    try cached("store-schema\(try plan.schema()).sqlite") { path in
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
      history.replay { index, time, release in
        let incident = history.incidents[index]
        moment.withLock { $0 = time }
        store.record(incident.digest, model: Shape.models[incident.model], release: release)
      }
      try store.close()
      guard failures.withLock({ $0 }) == 0 else { throw Broken("A store cannot be filled") }
    }
  }

  /// A flat table in SQLite.
  func flatTable() throws -> String {
    try cached("flat.sqlite") { path in
      let history = try History(shape, occurrences: occurrences)
      let table = try FlatTable(path: path, errors: LoopErrors(history.incidents))
      try table.transaction {
        try history.replay { incident, time, release in
          try table.add(incident, at: time, release: release)
        }
      }
    }
  }

  /// The flat table as CSV.
  func csv() throws -> String {
    let table = try flatTable()
    return try cached("flat.csv") { path in
      let arguments = ["sqlite3", "-csv", "-header", table, "SELECT * FROM occurrence"]
      _ = try Program(arguments: arguments, output: path).run(plan)
    }
  }

  /// The flat table in DuckDB.
  func duckDB() throws -> String {
    let csv = try csv()
    return try cached("flat.duckdb") { try DuckDB(plan: plan).load(csv, into: $0) }
  }

  /// The store as NDJSON.
  func ndjson() throws -> String {
    let store = try store()
    return try cached("digests.ndjson") { path in
      let arguments = [plan.query, "export", "--store", store]
      _ = try Program(arguments: arguments, output: path).run(plan)
    }
  }

  /// The bytes that a file and what stands beside it take for each occurrence.
  func bytesPerOccurrence(_ path: String) throws -> Double {
    Double(size(of: path) + size(of: path + "-wal")) / Double(occurrences)
  }

  private func size(of path: String) -> Int {
    // What is not there takes nothing.
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// A file of the cache, made when it is not there: whole, or not at all.
  private func cached(_ name: String, make: (String) throws -> Void) throws -> String {
    let name = "v\(Self.version)-\(shape.rawValue)-\(occurrences)-\(name)"
    let file = plan.cache.appending(path: name)
    if FileManager.default.fileExists(atPath: file.path) { return file.path }
    FileHandle.standardError.write(Data("making \(name) …\n".utf8))
    try plan.withTemporaryFile { path in
      try make(path)
      try FileManager.default.moveItem(atPath: path, toPath: file.path)
    }
    return file.path
  }
}

extension Plan {
  /// The version of the schema, of the header of a new store (SQLite, "Database File Format", 1.3).
  fileprivate func schema() throws -> Int {
    try withTemporaryFile { path in
      try DigestStore(path: path).close()
      let header = try Data(contentsOf: URL(filePath: path)).prefix(64)
      return header.suffix(4).reduce(0) { $0 << 8 | Int($1) }
    }
  }
}
