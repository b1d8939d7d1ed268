import Foundation
import Testing

/// Files made on purpose: every command answers or says one line, and comes to an end.
///
/// `CRAFTED=all` asks every command about each column, which takes minutes.
@Suite(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
struct CraftedFileTests {
  /// The numbers that are put into the file in the place of its own.
  private static let numbers: [Int64] =
    isThorough
    ? [.max, .min, -1, 0, 1, 1 << 31, 1 << 53, (1 << 53) + 1, 1 << 62] : [.max, .min, -1]

  /// The columns of numbers, by table.
  private static let columns: [(table: String, columns: [String])] = [
    (
      "store",
      [
        "id", "folded_through", "evicted_through", "coarse_before", "models_since",
        "models_through", "sample_generation",
      ]
    ),
    ("model", ["id"]), ("release", ["id"]),
    (
      "failure",
      [
        "id", "model_id", "value_id", "found_default", "message_cleared", "found_cleared",
        "found_at",
      ]
    ),
    ("digest", ["id", "recorded_at", "model_id", "release_id", "says_found"]),
    ("foreign_digest", ["digest_id"]), ("hour", ["hour", "first_digest_id", "last_digest_id"]),
    ("loss", ["hour", "digests", "occurrences"]), ("loss_note", ["hour"]),
    (
      "lifetime",
      [
        "failure_id", "occurrences", "digests", "shared_digests", "first_seen", "last_seen",
        "message_used", "found_used",
      ]
    ),
    ("period", ["id", "span", "start", "release_id"]),
    ("model_period", ["id", "span", "start", "release_id"]),
  ]

  private static let commands = [
    "report --output page.html", "export --format csv", "verify", "digests --format csv",
    "trend --by hour --group release --since 2026-11-20T10:30:00Z",
    "prune --max-bytes 1048576 --max-age 1d", "import more.ndjson",
  ]

  private static let otherCommands = [
    "top-novel-values", "top-novel-values --limit 1", "top-novel-values --as swift",
    "top-novel-values --kind typeMismatch --until 2026-11-21", "top-failures --release 4.2.0",
    "models", "models --since 2026-11-20T10:30:00Z", "trend --by week --group value",
    "trend --by minute", "new --release 4.3.0", "new --failures --since 2026-11-20T10:30:00Z",
    "diff 4.2.0 4.3.0", "digests d-1", "export", "export --value villa --since 2026-11-20",
    "export --new name --state state", "check --max-occurrences 1", "doctor",
    "merge digests.sqlite --store merged.sqlite", "merge other.sqlite",
  ]

  private static var allCommands: [String] { commands + otherCommands }

  private static var isThorough: Bool { ProcessInfo.processInfo.environment["CRAFTED"] == "all" }

  /// A store with some of all that a file may have: what limits have left, losses, and a digest that
  /// is to be folded.
  private static let store = Result {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(
      """
      UPDATE digest SET omissions = '[[1,7]]' WHERE id = 2;
      UPDATE store SET folded_through = 4, models_through = 4, evicted_through = 1;
      INSERT INTO loss SELECT reason, (SELECT max(hour) FROM hour), 2, 3 FROM (
        SELECT 'evicted' AS reason UNION SELECT 'undated' UNION SELECT 'failed write'
        UNION SELECT 'quarantined' UNION SELECT 'redacted');
      INSERT INTO loss SELECT reason, hour - 1, digests, occurrences FROM loss;
      INSERT INTO loss_note VALUES ('quarantined', (SELECT max(hour) FROM hour), 'aside');
      INSERT INTO model (name) VALUES ('(other models)');
      INSERT INTO release (name) VALUES ('(other releases)');
      UPDATE failure SET model_id = (SELECT max(id) FROM model) WHERE id IN (3, 4)
      """)
    return try #require(sandbox.bytes())
  }

  /// Another store, to be merged.
  private static let other = Result {
    let sandbox = try Sandbox(importing: Digest("other").line)
    return try #require(sandbox.bytes())
  }

  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try Digest("more", novelValue: "yurt").line.write(
      to: sandbox.url("more.ndjson"), atomically: false, encoding: .utf8)
    try Self.other.get().write(to: sandbox.url("other.sqlite"))
  }

  @Test func `the file that is changed is a store`() throws {
    try expect(Self.allCommands, on: Self.store.get(), "nothing") { command, outcome in
      let isAnswer = ["verify", "check", "doctor"].contains { command.hasPrefix($0) }
      #expect(outcome.status == 0 || isAnswer && outcome.status == 1, "\(command): \(outcome)")
    }
  }

  @Test(arguments: columns.flatMap { table in table.columns.map { (table.table, $0) } })
  func `a column may have any number`(table: String, column: String) throws {
    for number in Self.isThorough ? Self.numbers : [.max, .min] {
      let sql = Self.change(table, column, to: number)
      try expect(Self.isThorough ? Self.allCommands : Self.commands, on: changed(by: sql), sql)
    }
  }

  @Test(arguments: numbers)
  func `all columns may have any number`(number: Int64) throws {
    // All at once, and without those that are looked at before anything else.
    for isWhole in [true, false] {
      let sql = Self.columns.filter { isWhole || $0.table != "store" }
        .flatMap { table in
          table.columns.filter { isWhole || !["id", "hour"].contains($0) && !$0.hasSuffix("_id") }
            .map { Self.change(table.table, $0, to: number) }
        }.joined(separator: ";\n")
      try expect(Self.allCommands, on: changed(by: sql), "all columns were \(number)")
    }
  }

  /// Puts a number into each row; into one row, where that is what tells rows apart.
  private static func change(_ table: String, _ column: String, to number: Int64) -> String {
    let key = columns.first { $0.table == table }?.columns.first
    let isKey = column == key && !["loss", "loss_note"].contains(table)
    let condition = isKey ? " WHERE \(column) = (SELECT max(\(column)) FROM \(table))" : ""
    return "UPDATE OR REPLACE \(table) SET \(column) = \(number)\(condition)"
  }

  private static let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"

  private static let tricks = views + schemas + contents

  /// A view that has no end in the place of each table.
  private static let views =
    ["store", "model", "release", "failure", "digest", "hour", "loss", "lifetime", "period"].map {
      """
      ALTER TABLE \($0) RENAME TO other;
      CREATE VIEW \($0) AS \(endless) SELECT other.* FROM other, n
      """
    }

  private static let schemas: [String] =
    [
      "CREATE TRIGGER t AFTER INSERT ON digest BEGIN INSERT INTO loss \(endlessLosses); END",
      "CREATE TRIGGER t AFTER DELETE ON digest BEGIN INSERT INTO loss \(endlessLosses); END",
      "CREATE TRIGGER t AFTER UPDATE ON store BEGIN INSERT INTO loss \(endlessLosses); END",
      "DROP VIEW counts; CREATE VIEW counts AS \(endless) SELECT x AS occurrences FROM n",
      "ALTER TABLE digest ADD COLUMN more TEXT AS (printf('%*s', 100000000, id))",
      "ALTER TABLE digest ADD COLUMN more TEXT",
      "DROP TABLE lifetime; CREATE VIRTUAL TABLE lifetime USING fts5(failure_id, occurrences)",
      "DROP TABLE digest; CREATE TABLE digest (id INTEGER PRIMARY KEY, recorded_at AS (id), "
        + "model_id AS (1), release_id AS (1), entries AS ('[[1]]'), omissions, says_found)",
      loose("period"), loose("lifetime"), loose("digest"), loose("hour"), loose("loss"),
      loose("period") + "; UPDATE period SET start = 0.5, release_id = 0.5",
      loose("period") + "; UPDATE period SET start = -0.5 WHERE span = 24",
      loose("period") + "; UPDATE period SET start = 'x', release_id = 'y', cells = 7",
      loose("digest") + "; UPDATE digest SET recorded_at = 'x', entries = 7",
      loose("foreign_digest") + "; UPDATE foreign_digest SET external_id = x'64'",
      "DROP INDEX failure_not_first", "DROP INDEX period_start", "DROP INDEX failure_identity",
      "PRAGMA user_version = -1", "PRAGMA user_version = 0", "PRAGMA user_version = 1",
      "PRAGMA user_version = 3", "PRAGMA application_id = -1",
    ]

  private static let contents: [String] =
    [
      "UPDATE period SET cells = zeroblob(300000)", "UPDATE model_period SET cells = x'ff'",
      "UPDATE period SET cells = x'ffffffffffffffffffffff01'",
      "UPDATE period SET cells = x'07ffffffffffffff7fffffffffffffff7f000000000000000000000000'",
      "UPDATE period SET cells = x'fcffffffffffff7f'", "UPDATE period SET cells = randomblob(9999)",
      "UPDATE digest SET entries = '[[1,' || replace(hex(zeroblob(500000)), '00', '[')",
      "UPDATE digest SET entries = '[[1,{\"m\":' || replace(hex(zeroblob(500000)), '0', '{')",
      "UPDATE digest SET entries = '[' || replace(hex(zeroblob(100000)), '00', '[1],') || '[1]]'",
      "UPDATE digest SET entries = '[[1x]]'", "UPDATE digest SET entries = ''",
      "UPDATE digest SET entries = '[[1,\"\\'", "UPDATE digest SET entries = '[[1,\"\\u12'",
      "UPDATE digest SET omissions = '[[1,999999999999]]'",
      "UPDATE digest SET omissions = '[[1,100000001]]'",
      "UPDATE digest SET omissions = '[[1,9223372036854775807]]'",
      "UPDATE digest SET omissions = '[' || replace(hex(zeroblob(9999)), '00', "
        + "'[1,99999999999],') || '[1,1]]'",
      "UPDATE failure SET path_format = replace(hex(zeroblob(9999)), '0', '%s')",
      "UPDATE failure SET path_format = '%'", "UPDATE failure SET coding_path = 'a\"[%*'",
      "UPDATE failure SET value_id = iif(id = 1, 2, 1)", "DELETE FROM failure", "DELETE FROM model",
      "DELETE FROM release", "DELETE FROM store", "DELETE FROM hour", "DELETE FROM lifetime",
      "PRAGMA ignore_check_constraints = ON; INSERT INTO store SELECT 2, identity, 0, 0, 0, 0, 0, 0 "
        + "FROM store",
      "UPDATE store SET identity = hex(zeroblob(500000))", "UPDATE store SET identity = ''",
    ]

  private static let endlessLosses =
    "SELECT 'x' || x, 1, 1, 1 FROM (\(endless) SELECT x FROM n)"

  /// Makes a table anew that takes anything.
  private static func loose(_ table: String) -> String {
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT, WITHOUT', 'WITHOUT'), 'STRICT', '')
      WHERE name = '\(table)';
    PRAGMA writable_schema = RESET
    """
  }

  @Test(arguments: tricks)
  func `whoever has made the schema`(trick: String) throws {
    let commands = Self.isThorough ? Self.allCommands : Self.commands
    try expect(commands, on: changed(by: trick), trick)
  }

  @Test(arguments: [
    "UPDATE digest SET recorded_at = 9223372036854775807",
    loose("digest") + "; UPDATE digest SET recorded_at = 'x'",
    loose("period") + "; UPDATE period SET start = start + 0.5 WHERE span > 0",
    loose("period") + "; UPDATE period SET release_id = 0.5 WHERE span = 0",
    loose("period") + "; UPDATE period SET release_id = 'x' WHERE span = 0",
    "UPDATE lifetime SET occurrences = 9223372036854775807, digests = 9223372036854775807",
  ])
  func `a file that is too large is pruned to the end`(trick: String) throws {
    let digests = (0..<400).map { number in
      var digest = Digest(
        "d-\(number)", recordedAt: "2026-11-\(10 + number % 20)T10:00:00.000Z")
      digest.release = "4.\(number % 7)"
      digest.failures[0].message = "\(number) " + String(repeating: "long ", count: 1_000)
      return digest
    }
    try sandbox.load(digests.ndjson)
    try sandbox.alter("PRAGMA ignore_check_constraints = ON; \(trick)")

    let outcome = try sandbox.runLimited(["prune", "--max-bytes", "1048576"])

    #expect(Self.isEnd(outcome.status), "\(outcome)")
    let more = try sandbox.runLimited(["import", "more.ndjson"])
    #expect(Self.isEnd(more.status), "\(more)")
  }

  /// Whether a run has ended by itself: 64 says that a trend would have too many points.
  private static func isEnd(_ status: Int32) -> Bool { [0, 1, 64, 65, 74].contains(status) }

  /// The bytes of a store that was changed.
  private func changed(by sql: String) throws -> Data {
    let name = "crafted.sqlite"
    try Self.store.get().write(to: sandbox.url(name))
    // What SQLite refuses to change is not changed: that is as good a file as any.
    for sql in ["PRAGMA ignore_check_constraints = ON; \(sql)", "PRAGMA wal_checkpoint(TRUNCATE)"] {
      _ = try sandbox.run(#require(SQLiteShell.url), [name, sql])
    }
    return try #require(sandbox.bytes(name))
  }

  /// Runs commands, each on the file as it was made.
  private func expect(
    _ commands: [String],
    on contents: Data,
    _ description: String,
    _ check: (String, Outcome) -> Void = { _, _ in }
  ) throws {
    try contents.write(to: sandbox.url(Sandbox.store))
    for command in commands {
      if ["prune", "import", "merge"].contains(where: { command.hasPrefix($0) }) {
        for file in try sandbox.files() where file.hasPrefix("digests") || file.hasPrefix("merged")
        {
          try FileManager.default.removeItem(at: sandbox.url(file))
        }
        try contents.write(to: sandbox.url(Sandbox.store))
      }
      let outcome = try sandbox.runLimited(command.split(separator: " ").map { String($0) })
      check(command, outcome)
      let isError = outcome.status > 1
      #expect(
        Self.isEnd(outcome.status)
          && (!isError || outcome.stderr.hasPrefix("digest-query: ") && outcome.stderrLines == 1),
        "\(command) after \(description): \(outcome)")
    }
  }
}

extension Outcome {
  fileprivate var stderrLines: Int { stderr.count { $0 == "\n" } }
}

extension Sandbox {
  /// Runs the tool without its answer, and ends it when it takes longer than anyone would wait.
  fileprivate func runLimited(_ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = try Tool.url()
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.environment = [:]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let notes = url("stderr")
    try Data().write(to: notes)
    process.standardError = try FileHandle(forWritingTo: notes)
    try process.run()
    let limit = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: limit)
    process.waitUntilExit()
    limit.cancel()
    let isExit = process.terminationReason == .exit
    return Outcome(
      status: isExit ? process.terminationStatus : 128 + process.terminationStatus,
      stderr: String(decoding: try Data(contentsOf: notes), as: UTF8.self))
  }
}
