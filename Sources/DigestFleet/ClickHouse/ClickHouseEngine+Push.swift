import DigestStore
import ResilientPlatform

extension ClickHouseEngine: PushReceiver {
  // Older versions have no subquery that refers to an outer row.
  package var lastNumberOfSource: (join: String, column: String) {
    (
      """
      LEFT JOIN (
        SELECT source, max(number) AS last FROM digest
        WHERE source IN (
          SELECT id FROM source WHERE identity IN (SELECT value FROM json_each(:identities)))
        GROUP BY 1
      ) AS d ON d.source = s.id
      """, "d.last"
    )
  }

  package func interruptedSources() throws -> Set<Int64> {
    Set(
      try rows("SELECT DISTINCT source FROM push_rows FINAL WHERE is_done = 0") {
        $0.integer(at: 0)
      })
  }

  package func add(source identity: String) throws {
    try insert(id: Self.id(of: [identity]), identity)
  }

  package func prepare(_ sources: [(source: KnownSource, counted: Int64)]) throws {
    push.counted = Dictionary(sources.map { ($0.source.id, $0.counted) }) { first, _ in first }
    try insert(into: "push_rows", columns: "source, began_at, is_done") { [push] add in
      for source in push.counted.keys {
        try add([.integer(source), .integer(push.time), .integer(0)])
      }
    }
  }

  /// Removes the marks of this push, and of those that were interrupted before it began.
  package func endPush(_ sources: [PushedSource]) throws {
    for source in sources {
      try insert(
        id: source.known.id, source.known.identity, name: source.name, counted: source.counted,
        countedAt: source.countedAt, pushedAt: source.pushedAt)
      try run(
        """
        INSERT INTO push_rows (source, began_at, is_done)
        SELECT source, began_at, 1 FROM push_rows FINAL
        WHERE source = \(source.known.id) AND began_at <= \(push.time) AND is_done = 0
        """)
    }
  }

  /// Inserts a source, or another state of it.
  func insert(
    id: Int64, _ identity: String, name: String = "", counted: Int64 = 0, countedAt: Int64 = 0,
    pushedAt: Int64 = 0
  ) throws {
    let columns = "id, identity, name, counted, counted_at, pushed_at, version"
    try insert(into: "source_rows", columns: columns) {
      try $0([
        .integer(id), .text(identity), .text(name), .integer(counted), .integer(countedAt),
        .integer(pushedAt), .integer(Date().milliseconds),
      ])
    }
  }

  package func add(_ rows: SQLRows, to table: NameTable) throws -> [Int64: Int64] {
    var ids: [Int64: Int64] = [:]
    let columns = CountTable.list(["id"] + table.columns)
    try insert(into: "\(table.rawValue)_rows", columns: columns) { add in
      try rows { [self] row in
        guard case .integer(let theirs) = row[0] else { return }
        let id =
          if case .blob(let key) = row[1] {
            Self.id(ofHash: key)
          } else {
            Self.id(of: row[1...].map(\.identifyingText))
          }
        ids[theirs] = id
        if table == .context, case .integer(let source) = row[1] { push.sources[id] = source }
        try add([.integer(id)] + row[1...])
      }
    }
    return ids
  }

  package func replaceTotals(_ rows: SQLRows) throws {
    let contexts = try insert(.total, CountTable.total.columns, rows)
    try removeOthers(of: .total, where: "true", contexts)
  }

  package func replace(
    _ table: CountTable, of periods: [PushedPeriod], _ rows: SQLRows
  ) throws {
    _ = try insert(table, table.columns, rows)
    for (source, periods) in Dictionary(grouping: periods, by: \.source) {
      let starts = [1, 24].map { span in
        "span = \(span) AND start IN (\(list(periods.filter { $0.span == span }.map(\.start))))"
      }
      try removeOthers(
        of: table,
        where: """
          context IN (SELECT id FROM context WHERE source = \(source))
          AND (\(starts.joined(separator: " OR ")))
          """, counted: push.counted[source] ?? 0)
    }
  }

  package func replaceUndated(_ rows: SQLRows) throws {
    let table = CountTable.decodes
    let key = ["context", table.subject]
    var sums: [[Int64]: [Int64]] = [:]
    try rows { row in
      let row: [Int64] = row.map { if case .integer(let integer) = $0 { integer } else { 0 } }
      sums[Array(row.prefix(key.count))] = Array(row.dropFirst(key.count))
    }
    guard !sums.isEmpty else { return }
    let contexts = Set(sums.keys.map { $0[0] })
    try forEachRow(
      """
      SELECT \(CountTable.list(key)), \(CountTable.list(table.counts) { "sum(\($0))" })
      FROM \(table.name) WHERE span = 24 AND start >= 0 AND context IN (\(list(contexts)))
      GROUP BY \(CountTable.list(key))
      """, [:]
    ) { row in
      let names = key.indices.map { row.integer(at: Int32($0)) }
      for index in table.counts.indices {
        sums[names]?[index] &-= row.integer(at: Int32(key.count + index))
      }
      return true
    }
    _ = try insert(table, key + ["span", "start"] + table.counts) { add in
      for (names, counts) in sums where counts[0] > 0 {
        try add((names + [24, -1] + counts.map { max(0, $0) }).map(SQLValue.integer))
      }
    }
    try removeOthers(of: table, where: "span = 24 AND start = -1", contexts)
  }

  package func add(digests rows: SQLRows, of source: KnownSource) throws -> Int {
    var added = 0
    let columns = "id, number, recorded_at, model, context, errors, source"
    let offset = Self.id(of: [source.identity])
    try insert(into: "digest_rows", columns: columns) { add in
      try rows { row in
        guard case .integer(let number) = row[0], case .integer(let time) = row[1] else { return }
        let bits = ClickHouseSchema.idBits
        let id =
          min(max(0, time), (1 << (63 - bits)) - 1) << bits | (offset &+ number) & ((1 << bits) - 1)
        if number > source.seen { added += 1 }
        try add([.integer(id)] + row + [.integer(source.id)])
      }
    }
    return added
  }
}

extension ClickHouseEngine {
  /// Inserts rows, whose first column is a context.
  ///
  /// - Returns: the contexts.
  private func insert(
    _ table: CountTable, _ columns: [String], _ rows: SQLRows
  ) throws -> Set<Int64> {
    var contexts: Set<Int64> = []
    let names = CountTable.list(columns + ["counted", "pushed_at"])
    try insert(into: "\(table.name)_rows", columns: names) { add in
      try rows { [self] row in
        guard case .integer(let context) = row[0] else { return }
        contexts.insert(context)
        try add(row + [.integer(push.counted(ofContext: context)), .integer(push.time)])
      }
    }
    return contexts
  }

  /// Replaces the rows of contexts that this push has not sent.
  private func removeOthers(
    of table: CountTable, where condition: String, _ contexts: Set<Int64>
  ) throws {
    for (counted, contexts) in Dictionary(grouping: contexts, by: push.counted(ofContext:)) {
      try removeOthers(
        of: table, where: "\(condition) AND context IN (\(list(contexts)))", counted: counted)
    }
  }

  private func removeOthers(
    of table: CountTable, where condition: String, counted: Int64
  ) throws {
    let key = CountTable.list(["context"] + table.key)
    let counts = table.counts + table.times
    try run(
      """
      INSERT INTO \(table.name)_rows (\(key), \(CountTable.list(counts)), counted, pushed_at)
      SELECT \(key), \(CountTable.list(counts) { _ in "0" }), \(counted), \(push.time)
      FROM \(table.name)_rows FINAL
      WHERE pushed_at <> \(push.time) AND \(table.counts[0]) > 0 AND \(condition)
      """)
  }

  func list(_ ids: some Collection<Int64>) -> String {
    ids.isEmpty ? "NULL" : ids.map(String.init).joined(separator: ", ")
  }

  /// A positive id for names.
  static func id(of names: [String]) -> Int64 {
    var message: [UInt8] = []
    for name in names {
      // The length before each text, so that no two lists have the same bytes.
      withUnsafeBytes(of: UInt32(name.utf8.count).littleEndian) { message.append(contentsOf: $0) }
      message.append(contentsOf: name.utf8)
    }
    return id(ofHash: SHA256.digest(message))
  }

  /// The first 63 bits of a hash.
  static func id(ofHash hash: [UInt8]) -> Int64 {
    Int64(hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1)
  }
}

extension SQLValue {
  fileprivate var identifyingText: String {
    switch self {
    case .integer(let integer): String(integer)
    case .text(let text): text
    case .null, .blob, .pattern, .integers, .texts: ""
    }
  }
}
