/// A table of counts by context, whose rows are raised to those of another store.
///
/// No count is lowered. So an hour or a day that the other store has deleted and begun again keeps
/// the counts that it has here.
struct CountTable {
  static let all = [
    CountTable(
      name: "total", key: ["failure"], counts: ["occurrences", "digests"],
      times: ["first_seen", "last_seen"]),
    CountTable(
      name: "tally", key: ["span", "start", "failure"], counts: ["occurrences", "digests"]),
    CountTable(
      name: "decodes", key: ["span", "start", "model"],
      counts: [cleanDecodes, "digests", "failed", "occurrences"]),
    CountTable(name: "failed", key: ["span", "start", "model", "kind"], counts: ["digests"]),
  ]

  /// Compared without digests, because the other store may have counted more of one and less of the
  /// other.
  private static let cleanDecodes = "decodes - digests"

  /// The start of the row with the sum of the days whose counts were deleted.
  private static let deletedDays: Int64 = -1

  fileprivate let name: String

  /// The columns of the key besides the context.
  fileprivate let key: [String]

  /// The columns with counts.
  fileprivate let counts: [String]

  /// The columns with the first and the last time.
  fileprivate var times: [String] = []

  var hasFailures: Bool { key.contains("failure") }
  private var hasSpans: Bool { key.contains("span") }
}

extension CountTable {
  /// Raises the rows of contexts, and adds the differences to context 0.
  ///
  /// - Parameters:
  ///   - contexts: the contexts of this store, and those of the other one that each takes up.
  ///   - ids: the ids of failures or models here, by those of the other store.
  ///   - firstDay: counts of earlier days are left out.
  func merge(
    _ other: MergedStore, _ contexts: [(ours: Int64, theirs: [Int64])], _ ids: [Int64: Int64],
    from firstDay: Int64, _ connection: Connection, beforeEachRow step: () throws -> Void
  ) throws {
    let row = try RowOfCounts(self, connection)
    for context in contexts {
      let sums = try sumsOfAllDays(other, context, ids, from: firstDay, connection)
      for condition in conditions(from: firstDay) {
        try forEachRow(of: other, key, condition, context.theirs, ids) { key, theirs, times in
          try step()
          try row.change(context.ours, key, times) { zip(theirs, $0).map(max) }
        }
      }
      guard let sums else { continue }
      // Days may be deleted there and not here, or the other way round.
      let days = try sumsOfDays("start >= 0", context.ours, connection)
      for (names, sum) in sums {
        let rest = zip(sum, days[names] ?? sum.map { _ in 0 }).map { max(0, $0 - $1) }
        let key = [.integer(24), .integer(Self.deletedDays)] + names
        try row.change(context.ours, key, []) { _ in rest }
      }
    }
  }

  /// Calls `body` with the key, the counts and the times of each row, with the ids of this store.
  private func forEachRow(
    of other: MergedStore, _ key: [String], _ condition: String, _ contexts: [Int64],
    _ ids: [Int64: Int64], _ body: ([SQLiteValue], [Int64], [SQLiteValue]) throws -> Void
  ) throws {
    let nameIndex = key.firstIndex { $0 == "failure" || $0 == "model" } ?? 0
    try other.forEachRow(
      """
      SELECT \(list(key + counts.map(sum) + boundedTimes)) FROM \(name)
      WHERE context IN (\(list(contexts.map(String.init)))) AND \(condition)
      GROUP BY \(list(key))
      """
    ) { row in
      var values = key.indices.map { row.value(at: Int32($0)) }
      guard case .integer(let name) = values[nameIndex], let id = ids[name] else { return }
      values[nameIndex] = .integer(id)
      let times = times.indices.map { row.value(at: Int32(key.count + counts.count + $0)) }
      try body(values, read(row, after: key.count), times)
    }
  }

  /// The sums of all days of a context, by model, and by kind if the table has one. Nil if neither
  /// store has deleted days.
  private func sumsOfAllDays(
    _ other: MergedStore, _ context: (ours: Int64, theirs: [Int64]), _ ids: [Int64: Int64],
    from firstDay: Int64, _ connection: Connection
  ) throws -> [[SQLiteValue]: [Int64]]? {
    guard hasSpans, !hasFailures else { return nil }
    var sums = try sumsOfDays("true", context.ours, connection)
    var isNeeded = try !sumsOfDays("start < 0", context.ours, connection).isEmpty
    let names = Array(key[2...])
    try forEachRow(
      of: other, names, "span = 24 AND start < \(firstDay)", context.theirs, ids
    ) { _, _, _ in isNeeded = true }
    guard isNeeded else { return nil }
    try forEachRow(of: other, names, "span = 24", context.theirs, ids) { names, theirs, _ in
      sums[names] = zip(theirs, sums[names] ?? theirs).map(max)
    }
    return sums
  }

  /// The sums of days in this store, by the rest of the key.
  private func sumsOfDays(
    _ condition: String, _ context: Int64, _ connection: Connection
  ) throws -> [[SQLiteValue]: [Int64]] {
    let names = Array(key[2...])
    let rows = try connection.rows(
      """
      SELECT \(list(names + counts.map(sum))) FROM \(name)
      WHERE span = 24 AND context = :context AND \(condition) GROUP BY \(list(names))
      """, [":context": .integer(context)]
    ) { row in (names.indices.map { row.value(at: Int32($0)) }, read(row, after: names.count)) }
    return Dictionary(rows) { first, _ in first }
  }

  /// Deletes the rows of a source, and subtracts them from context 0.
  func clear(source: Int64, _ connection: Connection) throws {
    let counts = columns
    let spans = hasSpans ? "span IN (1, 24) AND" : ""
    let contexts = "context IN (SELECT id FROM context WHERE source = \(source))"
    try connection.execute(
      """
      INSERT INTO \(name) (context, \(list(key + counts + times)))
      SELECT 0, \(list(key + counts.map { "-sum(\($0))" } + times.map { "min(\($0))" }))
      FROM \(name) WHERE \(spans) \(contexts) GROUP BY \(list(key))
      ON CONFLICT DO UPDATE SET \(list(counts.map { "\($0) = max(0, \($0) + excluded.\($0))" }));
      DELETE FROM \(name) WHERE \(spans) \(contexts);
      DELETE FROM \(name)
      WHERE \(spans) context = 0 AND \(counts.map { "\($0) <= 0" }.joined(separator: " AND "));
      """)
  }

  fileprivate func read(_ row: borrowing Statement, after column: Int = 0) -> [Int64] {
    var read: [Int64] = []
    for index in counts.indices { read.append(row.count(at: Int32(column + index))) }
    return read
  }

  /// The columns of ``counts``, with the decodes themselves.
  fileprivate var columns: [String] { counts.map { $0 == Self.cleanDecodes ? "decodes" : $0 } }

  fileprivate func columns(_ counts: [Int64]) -> [SQLiteValue] {
    var counts = counts
    if self.counts[0] == Self.cleanDecodes { counts[0] = counts[0].adding(count: counts[1]) }
    return counts.map { .integer($0) }
  }
}

/// SQL.
extension CountTable {
  /// The conditions on the rows that are raised one by one.
  private func conditions(from firstDay: Int64) -> [String] {
    guard hasSpans else { return ["true"] }
    return [Int64(1), 24].map { span in
      """
      span = \(span) AND start BETWEEN \(firstDay * 24 / span) AND \(Moment.latest.hour / span)
      """
    }
  }

  private var boundedTimes: [String] {
    zip(["min", "max"], times).map { bound, column in
      """
      min(max(\(bound)(\(column)), \(Moment.earliest.milliseconds)), \
      \(Moment.latest.milliseconds))
      """
    }
  }

  /// A sum that neither overflows nor becomes negative, whatever the file contains.
  private func sum(_ count: String) -> String {
    "ifnull(min(sum(min(max(\(count), 0), \(Int64.maximumCount))), \(Int64.maximumCount)), 0)"
  }

  fileprivate func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }
}

/// Changes rows of a table.
private final class RowOfCounts {
  private let table: CountTable
  private let find: Statement
  private let set: Statement
  private let add: Statement

  init(_ table: CountTable, _ connection: Connection) throws {
    self.table = table
    let key = (["context"] + table.key).map { "\($0) = ?" }.joined(separator: " AND ")
    find = try Statement(
      connection, "SELECT \(table.list(table.counts)) FROM \(table.name) WHERE \(key)")
    set = try Statement(connection, Self.upsert(table) { "excluded.\($0)" })
    add = try Statement(
      connection,
      Self.upsert(table) { "max(0, min(\($0) + excluded.\($0), \(Int64.maximumCount)))" })
  }

  /// Changes the counts of a row, and adds the differences to the row of context 0.
  ///
  /// - Parameter body: returns the new counts, given the old ones or zeros.
  func change(
    _ context: Int64, _ key: [SQLiteValue], _ times: [SQLiteValue],
    _ body: ([Int64]) -> [Int64]
  ) throws {
    let known = try find.firstRow([.integer(context)] + key) { table.read($0) }
    let old = known ?? table.counts.map { _ in 0 }
    let new = body(old)
    guard new != old else { return }
    try set.run([.integer(context)] + key + table.columns(new) + times)
    try add.run([.integer(0)] + key + table.columns(zip(new, old).map { $0 - $1 }) + times)
  }

  /// Inserts a row, or changes the counts of an existing one. The parameters are the columns.
  private static func upsert(_ table: CountTable, _ count: (String) -> String) -> String {
    let changes =
      table.columns.map { "\($0) = \(count($0))" }
      + zip(["min", "max"], table.times).map { "\($1) = \($0)(\($1), excluded.\($1))" }
    let columns = ["context"] + table.key + table.columns + table.times
    return """
      INSERT INTO \(table.name) (\(table.list(columns)))
      VALUES (\(table.list(columns.map { _ in "?" })))
      ON CONFLICT DO UPDATE SET \(table.list(changes))
      """
  }
}
