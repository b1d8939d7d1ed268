import Foundation
import ResilientDecoding

@testable import DigestStore

/// A file that is written by SQL at random, and all that was ever recorded in it.
struct RandomHistory {
  private static let begin = 1_760_000_000_000 / (24 * Moment.hour) * 24 * Moment.hour

  struct Digest {
    let recordedAt: Int64
    let release: String
    /// The occurrences by failure.
    let errors: [Int64: Int64]
  }

  let connection: Connection
  let fold: Fold
  var random: SeededGenerator
  private(set) var recorded: [Digest] = []
  private(set) var now = Self.begin
  private let failures: Int64
  private let folder: TemporaryFolder

  init(
    seed: UInt64, failures: Int64,
    kinds: [String] = ["unknownNovelValue", "converted", "keyNotFound"]
  ) throws {
    random = SeededGenerator(seed: seed)
    self.failures = failures
    folder = try TemporaryFolder()
    connection = try Connection.openStore(
      at: folder.url.appending(path: "digests.sqlite").path, DigestStore.Configuration())
    fold = try Fold(connection)
    try connection.execute(
      """
      PRAGMA synchronous = OFF;
      INSERT INTO model VALUES (1, 'App.A'), (2, 'App.B');
      INSERT INTO source VALUES (2, 'b', '', 0, 0, 0, 0);
      INSERT INTO context
        SELECT value, iif(value = 6, 2, 1), iif(value = 5, '', '4.' || (value % 4)), 'e' || value, ''
        FROM json_each('[1,2,3,4,5,6]')
      """)
    for failure in 1...failures {
      let kind = kinds[Int(failure) % kinds.count]
      try connection.execute(
        """
        INSERT INTO failure (id, key, model, coding_path, kind, novel_value, value_type, message,
          sampled_at)
        VALUES (\(failure), randomblob(16), 1, 'items[].kind', '\(kind)', 'v\(failure)', 'String', 'm',
          \(Self.begin))
        """)
    }
  }

  /// Records some digests and decodes, and folds some digests.
  mutating func write(_ count: ClosedRange<Int>) throws {
    let pace: Int64 = [60_000, 600_000, 3 * Moment.hour].randomElement(using: &random) ?? 1
    var id = try max(
      connection.integer("SELECT max(id) FROM digest") ?? 0,
      connection.integer("SELECT folded FROM store") ?? 0)
    try connection.execute("BEGIN")
    let add = try Statement(connection, "INSERT INTO digest VALUES (?, ?, ?, ?, ?, NULL, ?, ?)")
    for _ in 0..<Int.random(in: count, using: &random) {
      id += 1
      now += Int64.random(in: 0..<pace, using: &random)
      // Some clocks are behind.
      let delay =
        Int.random(in: 0..<20, using: &random) == 0
        ? Int64.random(in: 0..<90 * Moment.hour, using: &random) : 0
      let recordedAt = max(Self.begin, now - delay)
      let context = Int64.random(in: 1...6, using: &random)
      let errors = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        (
          failure: Int64.random(in: 1...failures, using: &random),
          times: Int64.random(in: 1...3, using: &random)
        )
      }
      let text = errors.map { "[\($0.failure),null,\($0.times)]" }.joined(separator: ",")
      try add.run([
        .integer(id), .integer(recordedAt), .integer(.random(in: 1...2, using: &random)),
        .integer(context), context == 6 ? .integer(2) : .null, context == 6 ? .integer(id) : .null,
        .text("[\(text)]"),
      ])
      recorded.append(
        Digest(
          recordedAt: recordedAt, release: context == 5 ? "" : "4.\(context % 4)",
          errors: errors.reduce(into: [:]) { $0[$1.failure, default: 0] += $1.times }))
    }
    for _ in 0..<20 {
      let hour = max(0, now / Moment.hour - .random(in: 0..<200, using: &random))
      let context = Int64.random(in: 1...6, using: &random)
      for (span, context) in [(1, context), (24, context), (1, 0), (24, 0)] {
        try connection.execute(
          """
          INSERT INTO decodes VALUES (\(span), \(context), \(hour / Int64(span)), 1, 1, 0, 0, 0)
          \(Fold.adding("decodes"))
          """)
      }
    }
    try connection.execute("COMMIT")
    let limit = [7, 50, 300].randomElement(using: &random) ?? 1
    if Int.random(in: 0..<10, using: &random) < 7 {
      while try fold.run(limit: limit) > 0 {}
    } else {
      _ = try fold.run(limit: limit)
    }
  }

  /// A moment at which something was recorded, or near it: often the edge of an hour or a day.
  mutating func moment() -> Moment {
    let moment = Int64.random(in: Self.begin - Moment.hour..<now + 2 * Moment.hour, using: &random)
    let length =
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: Moment.hour
      case 3..<5: 24 * Moment.hour
      default: Int64(1)
      }
    return Moment(milliseconds: moment / length * length)
  }
}
