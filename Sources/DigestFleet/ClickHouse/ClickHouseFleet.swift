package import DigestStore
package import ResilientPlatform

/// A fleet in ClickHouse.
package final class ClickHouseFleet: Fleet {
  private let engine: Locked<ClickHouseEngine>

  package let name: String

  /// - Throws: ``DigestStoreError`` for a URL that cannot be used. The first statement connects.
  package init(_ url: String) throws {
    let engine = try ClickHouseEngine(url)
    name = engine.name
    self.engine = Locked(engine)
  }

  package func makeTables(readers: [String], writers: [String]) throws {
    precondition(readers.isEmpty && writers.isEmpty, "ClickHouse's users are granted by hand")
    try engine.withLock { engine in
      if try engine.version() != nil { try engine.checkVersion() }
      let identity = UUID().uuidString.lowercased().replacing("-", with: "")
      for statement in ClickHouseSchema.statements(identity: identity) { try engine.run(statement) }
    }
  }

  package func push(
    storesAt stores: [String], progress: ((DigestReader.Progress) throws -> Void)?
  ) throws -> [DigestStore.PushSummary] {
    try engine.withLock { engine in
      try engine.checkVersion()
      return try DigestStore.push(storesAt: stores, to: engine, progress: progress) { body in
        engine.push = PushInProgress()
        return try body()
      }
    }
  }

  package func forget(source identity: String) throws -> Int {
    try engine.withLock { engine in
      try engine.checkVersion()
      return try engine.forget(source: identity)
    }
  }

  package func prune(before time: Date) throws -> Int {
    try engine.withLock { engine in
      try engine.checkVersion()
      let isOlder = "recorded_at < \(time.milliseconds)"
      let deleted = try engine.integer("SELECT count(*) FROM digest WHERE \(isOlder)") ?? 0
      // A push that sends everything leaves them out.
      try engine.run(
        """
        INSERT INTO source_rows (id, identity, counted, counted_at, evicted, version)
        SELECT s.id, s.identity, s.counted, s.counted_at, greatest(s.evicted, d.last), s.version + 1
        FROM source_rows AS s FINAL
        JOIN (SELECT source, max(number) AS last FROM digest WHERE \(isOlder) GROUP BY source) AS d
          ON d.source = s.id
        """)
      try engine.run("ALTER TABLE digest_rows DELETE WHERE \(isOlder)")
      try engine.run(
        """
        ALTER TABLE failure_rows
        UPDATE \(StoredFailure.withoutSample)
        WHERE sampled_at < \(time.milliseconds)
        """)
      return Int(deleted)
    }
  }

  package func reader() throws -> DigestReader {
    try engine.withLock { try $0.checkVersion() }
    return DigestReader(path: name, self)
  }
}

extension ClickHouseFleet {
  package func read<Value: Sendable>(
    _ body: @Sendable (any Engine) throws -> Value
  ) throws -> Value {
    try engine.withLock { try body($0) }
  }

  package func endMoment() { engine.withLock { $0.rollBack() } }
}

extension ClickHouseEngine {
  /// The version of the tables; nil if there are none.
  fileprivate func version() throws -> Int64? {
    let count = try integer(
      "SELECT count(*) FROM system.tables WHERE database = currentDatabase() AND name = 'source_rows'"
    )
    return count == 0 ? nil : try integer("SELECT version FROM store")
  }

  fileprivate func checkVersion() throws {
    try DigestStoreError.check(version(), ClickHouseSchema.version, of: name)
  }

  /// Removes the digests and counts of a source.
  fileprivate func forget(source identity: String) throws -> Int {
    let source = try forgettableSource(identity)
    let contexts = try rows("SELECT id FROM context WHERE source = \(source)") {
      $0.integer(at: 0)
    }
    let list = contexts.isEmpty ? "NULL" : contexts.map(String.init).joined(separator: ", ")
    let occurrences = try occurrences(ofContexts: list)
    // The rows of contexts and of the source stay: a push at the same time relies on them. The
    // source is reset last, so that an interrupted removal can be repeated.
    for table in ClickHouseSchema.tablesOfCounts {
      try run("ALTER TABLE \(table) DELETE WHERE context IN (\(list))")
    }
    for table in ["digest_rows", "push_rows"] {
      try run("ALTER TABLE \(table) DELETE WHERE source = \(source)")
    }
    try insert(id: source, identity, counted: 0, at: 0, evicted: 0)
    return occurrences
  }
}
