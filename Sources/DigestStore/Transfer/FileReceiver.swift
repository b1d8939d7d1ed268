import CSQLite
import ResilientPlatform

/// Receives a push in a file.
///
/// Rows go to a temporary database in memory first, and then to the tables in short transactions,
/// between which others write. After each transaction, the counts of context 0 equal the sums over
/// all contexts. Until a push ends, the counts of its source are partly new and partly old.
/// `source.pushing` marks such a source, and the next push sends all of it.
///
/// If two pushes send a source at the same time, the one that began later completes it, and the
/// other one ends with an error.
final class FileReceiver: StagingReceiver {
  /// After how long to pause, so that others can write, and how long in µs: as long as they sleep
  /// between two attempts at a lock, see ``Connection/waitForLocks()``.
  private static let turn = Duration.milliseconds(10)
  private static let pause: UInt32 = 4_000

  /// How long the transactions since the last pause took.
  private var duration = Duration.zero

  let writer: Writer
  var connection: Connection { writer.connection }
  var engine: any Engine { connection }

  /// The value of `source.pushing` that marks the sources of this push, and their number.
  private let mark = Int64.random(in: 1...Int64.maximumCount)
  private var marked: Int64 = 0

  /// The most rows that a transaction takes.
  private let maximumRows: Int64

  private init(_ writer: Writer, _ maximumRows: Int64) {
    self.writer = writer
    self.maximumRows = maximumRows
  }

  /// Runs `body` with a receiver, outside a transaction.
  ///
  /// - Parameter maximumRows: the most rows that a transaction takes: some 10 ms.
  static func with<Value>(
    _ writer: Writer, maximumRows: Int64 = 1_000, _ body: (FileReceiver) throws -> Value
  ) throws -> Value {
    try writer.connection.withTemporaryDatabase("incoming") {
      defer { writer.names.forget() }
      return try body(FileReceiver(writer, maximumRows))
    }
  }

  /// Runs `body` in a transaction, in which all digests that others have recorded are counted.
  ///
  /// - Throws: ``DigestStoreError`` with code `busy` if another push of a source has begun.
  func step<Value>(_ body: () throws -> Value) throws -> Value {
    let start = ContinuousClock.now
    // Leaves few for the transaction.
    while try writer.foldSome() {}
    let value = try writer.transaction {
      guard
        try connection.integer(
          "SELECT count(*) FROM source WHERE pushing = :mark", [":mark": .integer(mark)])
          == marked
      else {
        throw DigestStoreError(
          .busy,
          "\(connection.path): another push of the same store has begun, or it was forgotten; push "
            + "again")
      }
      while try writer.fold.foldBatch() > 0 {}
      return try body()
    }
    if writer.checkpointIfEarly() { try connection.checkpoint() }
    duration += ContinuousClock.now - start
    if duration > Self.turn {
      usleep(Self.pause)
      duration = .zero
    }
    return value
  }

  func beginPush<Value>(_ body: () throws -> Value) throws -> Value { try step(body) }

  func imported(among identities: [String]) throws -> String? {
    try connection.rows(
      """
      SELECT identity FROM origin WHERE identity IN (SELECT value FROM json_each(:identities)) LIMIT 1
      """, [":identities": .texts(identities)]
    ) { $0.text(at: 0) }.first.flatMap(\.self)
  }

  func prepare(_ sources: [(source: KnownSource, counted: Int64)]) throws {
    try mark(sources.map(\.source.id))
  }

  /// Marks sources as incomplete, inside a transaction.
  func mark(_ sources: [Int64]) throws {
    marked = try execute(
      "UPDATE source SET pushing = :mark WHERE id IN (SELECT value FROM json_each(:ids))",
      [":mark": .integer(mark), ":ids": .integers(sources)])
  }

  func endPush(_ sources: [PushedSource]) throws {
    try step {
      let end = try Statement(
        connection,
        """
        UPDATE source SET name = ?, counted = ?, counted_at = ?, pushed_at = ?, pushing = 0
        WHERE id = ?
        """)
      for source in sources {
        try end.run([
          .text(source.name), .integer(source.counted), .integer(source.countedAt),
          .integer(source.pushedAt), .integer(source.known.id),
        ])
      }
    }
  }
}

extension FileReceiver {
  @discardableResult
  func execute(_ sql: String, _ values: [String: SQLValue]) throws -> Int64 {
    try connection.execute(sql, values)
  }

  func makeTable(_ name: String, columns: String) throws {
    // With another affinity, a key is not compared by its index.
    let columns = columns.replacing("bytea", with: "blob")
    try execute("CREATE TABLE incoming.\(name) (\(columns))")
  }

  func insert(into table: String, columns: Int, _ rows: SQLRows) throws {
    // A transaction that writes to the temporary database alone does not lock the file.
    try connection.execute("BEGIN")
    do {
      let places = Array(repeating: "?", count: columns).joined(separator: ", ")
      let add = try Statement(connection, "INSERT INTO incoming.\(table) VALUES (\(places))")
      try rows { try add.run($0) }
      try connection.execute("COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
  }

  func forSomeRows(
    of table: String, atMost rows: Int64?, _ body: (_ condition: String) throws -> Void
  ) throws {
    let rows = rows ?? maximumRows
    let count = try connection.integer("SELECT max(rowid) FROM incoming.\(table)") ?? 0
    for first in stride(from: 1, through: count, by: Int64.Stride(rows)) {
      try step { try body("n.rowid BETWEEN \(first) AND \(first + rows - 1)") }
    }
  }

  func addedDigests() throws {
    try execute("UPDATE store SET folded = max(folded, (SELECT max(id) FROM digest))")
  }
}
