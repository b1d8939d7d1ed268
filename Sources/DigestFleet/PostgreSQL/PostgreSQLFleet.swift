package import DigestStore
package import ResilientPlatform

/// A fleet in PostgreSQL.
package final class PostgreSQLFleet: Fleet {
  private let engine: Locked<PostgreSQLEngine>

  package let name: String

  /// Connects to the server.
  ///
  /// - Throws: ``DigestStoreError``.
  package init(_ url: String) throws {
    let engine = try PostgreSQLEngine(url)
    name = engine.name
    self.engine = Locked(engine)
  }

  /// "DGSQ", as in a file.
  private static let lock = 0x4447_5351

  package func makeTables(readers: [String], writers: [String]) throws {
    try engine.withLock { engine in
      try engine.transaction {
        if try engine.version() == nil {
          try engine.runScript(String(decoding: PackageResources.fleet_sql, as: UTF8.self))
        }
        try engine.checkVersion()
        for role in readers {
          try engine.execute("SELECT grant_reading(:role)", [":role": .text(role)])
        }
        for role in writers {
          try engine.execute("SELECT grant_pushing(:role)", [":role": .text(role)])
        }
      }
    }
  }

  package func push(
    storesAt stores: [String], progress: ((DigestReader.Progress) throws -> Void)?
  ) throws -> [DigestStore.PushSummary] {
    try engine.withLock { engine in
      try engine.checkVersion()
      return try DigestStore.push(storesAt: stores, to: engine, progress: progress) { body in
        try engine.transaction {
          // Pushes wait for each other, because all change the counts of context 0.
          try engine.execute("SELECT pg_advisory_xact_lock(\(Self.lock))")
          return try body()
        }
      }
    }
  }

  package func forget(source identity: String) throws -> Int {
    try engine.withLock { engine in
      try engine.checkVersion()
      return try engine.transaction {
        try engine.execute("SELECT pg_advisory_xact_lock(\(Self.lock))")
        return try engine.forget(source: identity)
      }
    }
  }

  package func prune(before time: Date) throws -> Int {
    try engine.withLock { engine in
      try engine.checkVersion()
      return try engine.transaction {
        try engine.execute("SELECT pg_advisory_xact_lock(\(Self.lock))")
        let deleted = try engine.execute(
          "DELETE FROM digest WHERE recorded_at < :time", [":time": .integer(time.milliseconds)])
        _ = try engine.execute(
          """
          UPDATE failure SET \(StoredFailure.withoutSample)
          WHERE sampled_at < :time
          """, [":time": .integer(time.milliseconds)])
        return Int(deleted)
      }
    }
  }

  package func reader() throws -> DigestReader {
    try engine.withLock { try $0.checkVersion() }
    return DigestReader(path: name, self)
  }
}

extension PostgreSQLFleet {
  package func read<Value: Sendable>(
    _ body: @Sendable (any Engine) throws -> Value
  ) throws -> Value {
    try engine.withLock { try body($0) }
  }

  package func endMoment() { engine.withLock { $0.rollBack() } }
}

extension PostgreSQLEngine {
  /// The version of the tables in `fleet.sql`, which this build reads and writes.
  private static let tableVersion: Int64 = 1

  /// The version of the tables; nil if there are none.
  fileprivate func version() throws -> Int64? {
    guard try integer("SELECT 1 FROM pg_namespace WHERE nspname = 'digests'") != nil else {
      return nil
    }
    return try integer("SELECT version FROM store")
  }

  fileprivate func checkVersion() throws {
    try DigestStoreError.check(version(), Self.tableVersion, of: name)
  }
}
