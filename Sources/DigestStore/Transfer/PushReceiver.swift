/// A database to which stores are pushed.
///
/// A push calls the functions in their order here. In PostgreSQL, a transaction is around all of
/// them; a file writes in short ones. Rows of counts come with the ids of the receiver, each key
/// once.
package protocol PushReceiver {
  /// The database.
  var engine: any Engine { get }

  /// A join to `source AS s`, and an expression that is then the largest number of its digests.
  var lastNumberOfSource: (join: String, column: String) { get }

  /// Runs the beginning of a push: the functions up to ``prepare(_:)``.
  func beginPush<Value>(_ body: () throws -> Value) throws -> Value

  /// The identity of one of some stores whose digests were imported here; nil if there is none.
  func imported(among identities: [String]) throws -> String?

  /// Adds a source without digests and counts.
  func add(source identity: String) throws

  /// Marks sources as incomplete, so that the push after an interrupted one sends everything.
  ///
  /// - Parameter sources: with the number up to which the store has counted the digests of each.
  func prepare(_ sources: [(source: KnownSource, counted: Int64)]) throws

  /// Adds names that are not there yet: id in the store, and the columns of ``NameTable/columns``.
  ///
  /// - Returns: the ids here, by those in the store.
  func add(_ rows: SQLRows, to table: NameTable) throws -> [Int64: Int64]

  /// Replaces all totals of contexts: context, failure, occurrences, digests, first and last time.
  func replaceTotals(_ rows: SQLRows) throws

  /// Replaces all counts of some periods. The columns are those of the table in the order of
  /// ``CountTable/columns``.
  func replace(_ table: CountTable, of periods: [PushedPeriod], _ rows: SQLRows) throws

  /// Replaces the decodes of the days that have no counts here, which are those of all time without
  /// the days that have counts.
  ///
  /// - Parameter rows: the decodes of all time: context, model, and the counts of `decodes`.
  func replaceUndated(_ rows: SQLRows) throws

  /// Adds digests, as counted ones: number, time, model, context, errors. Those that are there
  /// already stay.
  ///
  /// - Returns: the number of digests added.
  func add(digests rows: SQLRows, of source: KnownSource) throws -> Int

  /// Stores each source's name, the number of its last counted digest, and the time of the push. Then the
  /// sources are complete.
  func endPush(_ sources: [PushedSource]) throws
}

extension Engine {
  /// The highest number that a digest has had so far. Numbers are never reused, even after a digest is
  /// deleted.
  var lastNumber: Int64 {
    get throws {
      let last = try integer(
        "SELECT max(id) FROM (SELECT max(id) AS id FROM digest UNION ALL SELECT folded FROM store) AS i"
      )
      return min(max(0, last ?? 0), .max - 1)
    }
  }
}

extension PushReceiver where Self: Engine {
  package var engine: any Engine { self }
}

extension PushReceiver {
  /// A server imports nothing.
  package func imported(among identities: [String]) throws -> String? { nil }

  package func beginPush<Value>(_ body: () throws -> Value) throws -> Value { try body() }
}

/// A table of names, with ids that differ from store to store.
package enum NameTable: String {
  case model, context, failure

  /// The columns after the id.
  package var columns: [String] {
    switch self {
    case .model: ["name"]
    case .context: ["source", "release", "environment", "operation"]
    case .failure:
      [
        "key", "model", "coding_path", "kind", "expected_type", "novel_value", "value_type",
        "message", "found_type", "found_value", "sampled_at",
      ]
    }
  }

  /// The columns that are the same in all stores.
  var key: [String] { self == .failure ? ["key"] : columns }

  /// The type of a column in PostgreSQL.
  static func type(of column: String) -> String {
    switch column {
    case "theirs", "source", "model", "sampled_at": "bigint"
    case "key": "bytea"
    default: "text"
    }
  }
}

/// A source as the receiver of a push has it.
package struct KnownSource {
  package let id: Int64
  package let identity: String

  /// The number up to which the receiver has counted all digests, and when that one was recorded.
  package let counted: Int64
  package let countedAt: Int64

  /// Its name here, and when it was pushed last, in milliseconds since 1970.
  let name: String
  let pushedAt: Int64

  /// The largest number of a digest that the receiver has seen.
  package let seen: Int64

  /// Whether an interrupted push left a part of it.
  let isInterrupted: Bool

  /// Whether the receiver has all of it up to ``counted``. Otherwise all is sent again.
  var isWhole: Bool { counted > 0 && !isInterrupted }
}

/// A source whose push ends.
package struct PushedSource {
  package let known: KnownSource

  /// The number of its last digest, which is counted here, and when that one was recorded.
  package let counted: Int64
  package let countedAt: Int64

  package let name: String

  /// When it was pushed last, here or to a store that passes it on.
  package let pushedAt: Int64
}

extension PushedSource {
  /// A source without a name keeps the one that it has, and no push is older than the last one.
  init(_ source: PushedStore.SentSource, known: KnownSource) {
    self.known = known
    (counted, countedAt) = (source.counted, source.countedAt)
    name = source.name.isEmpty ? known.name : source.name
    pushedAt = max(source.pushedAt, known.pushedAt)
  }
}

/// An hour or a day of a source. A start of -1 is the sum of the days whose counts were deleted.
package struct PushedPeriod: Hashable, Comparable {
  package let source: Int64
  package let span: Int64
  package let start: Int64

  package static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.source, lhs.span, lhs.start) < (rhs.source, rhs.span, rhs.start)
  }

  /// A query of the first and the last start of the periods in a table, by source and span.
  static func ranges(in table: String) -> String {
    "(SELECT source, span, min(start) AS first, max(start) AS last FROM \(table) GROUP BY 1, 2)"
  }
}
