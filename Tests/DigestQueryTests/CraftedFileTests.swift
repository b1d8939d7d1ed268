import Foundation
import Testing

@testable import DigestStore

// Swift 6.2 has no exit tests that capture values.
#if compiler(>=6.3)
  /// Files made on purpose: every command answers or says one line, and comes to an end.
  ///
  /// `CRAFTED=some` has every third command read a changed file. `CRAFTED=all` changes every row by
  /// itself, not only the last one, and runs every command on every file, which takes minutes.
  struct CraftedFileTests {
    private static let isThorough = ProcessInfo.processInfo.environment["CRAFTED"] == "all"

    /// Whether a file is read by a few of the commands.
    private static let isQuick = ProcessInfo.processInfo.environment["CRAFTED"] == nil

    private static let commands = [
      "top-novel-values", "top-novel-values --limit 1",
      "top-novel-values --kind typeMismatch --until 2026-11-21", "top-failures --release 4.2.0",
      "models", "models --since 2026-11-20T10:30:00Z", "metrics", "metrics --release 4.2.0",
      "trend --by hour --group release --since 2026-11-20T10:30:00Z",
      "trend --by week --group value", "trend --by hour", "trend --by week --group path",
      "trend --rate --by week", "renames", "check --max-rate 1%", "new --release 4.3.0",
      "new --since 2026-11-20T10:30:00Z", "diff 4.2.0 4.3.0", "show dddddddd-1",
      "summary --since 2026-11-20 --until 2026-11-21", "show villa",
      "digests --format csv", "export", "export --format csv",
      "export --value villa --since 2026-11-20", "check --max-new 0 --since-last name",
      "report --output page.html", "check --max-occurrences 1",
      "verify", "doctor", "prune --max-bytes 1048576 --max-age 1d", "import more.ndjson",
      "push pushed.sqlite", "push digests.sqlite other.sqlite",
    ]

    /// A renamed key, and decodes.
    private static let keys =
      Digest(failures: [
        .error("keyNotFound", at: "items[0].title", expected: "String"),
        .error("unknownKey", at: "items[0].name", found: ("string", "a")),
      ]).line + Digest.decodes(7)

    /// A store with some of all that a file may have: what limits have left, losses, and a digest
    /// that is to be folded.
    private static let store = Result {
      let sandbox = try Sandbox(importing: Drift.ndjson + keys)
      try sandbox.alter(
        """
        UPDATE digest SET errors = json_insert(errors, '$[#]', '[1,null,7]') WHERE id = 2;
        UPDATE store SET folded = 4;
        INSERT INTO upload VALUES ('https://digests.example.com', 3, 0, 0);
        INSERT INTO loss SELECT (SELECT max(recorded_at) / 3600000 FROM digest), reason, 2, 3, NULL FROM (
          SELECT 'evicted' AS reason UNION SELECT 'undated' UNION SELECT 'failed write'
          UNION SELECT 'unattributed' UNION SELECT 'quarantined' UNION SELECT 'redacted');
        INSERT INTO loss SELECT hour - 1, reason, digests, occurrences, NULL FROM loss;
        UPDATE loss SET note = 'aside' WHERE reason = 'quarantined';
        INSERT INTO model (name) VALUES ('(other models)');
        INSERT INTO context (source, release, environment, operation)
          VALUES (1, '(other releases)', '', '');
        UPDATE failure SET model = (SELECT max(id) FROM model) WHERE id IN (3, 4)
        """)
      return try #require(sandbox.bytes())
    }

    /// Another store, to be pushed.
    private static let other = Result {
      let sandbox = try Sandbox(importing: [Digest()])
      return try #require(sandbox.bytes())
    }

    /// The tables of a store, as its file has them.
    private static let tables = Result {
      try withConnection(to: store.get()) { connection in
        let names = try connection.rows(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ) { $0.text(at: 0) ?? "" }
        return try names.map { try Table($0, connection) }
      }
    }

    private struct Table: Sendable {
      let name: String
      var keys: [String] = []

      /// Those that a number is put into.
      var numbers: [String] = []
      let rows: Int64

      init(_ name: String, _ connection: Connection) throws {
        self.name = name
        rows = try connection.integer("SELECT count(*) FROM \(name)") ?? 0
        let columns = try connection.rows(
          "SELECT name, type, pk FROM pragma_table_info('\(name)') ORDER BY pk, cid"
        ) { ($0.text(at: 0) ?? "", $0.text(at: 1), $0.integer(at: 2)) }
        for (column, type, key) in columns {
          if key > 0 { keys.append(column) }
          if type == "INTEGER" { numbers.append(column) }
        }
      }

      /// Puts a number into a row, or all rows.
      func change(_ column: String, to number: Int64, row: Int64? = nil) -> String {
        let key = "(\(keys.joined(separator: ", ")))"
        let condition = row.map {
          " WHERE \(key) = (SELECT \(key.dropFirst().dropLast()) FROM \(name) ORDER BY "
            + "\(key.dropFirst().dropLast()) LIMIT 1 OFFSET \($0))"
        }
        return "UPDATE OR REPLACE \(name) SET \(column) = \(number)\(condition ?? "")"
      }
    }

    @Test func `the file that is changed is a store with rows in each table`() async throws {
      for table in try Self.tables.get() { #expect(table.rows > 0, "\(table.name)") }
      #expect(try Set(Self.tables.get().map(\.name)) == Set(Self.names))
      try await expectEnds(["SELECT 1"], isStore: true)
    }

    private static let names = [
      "store", "source", "origin", "origin_decodes", "upload", "model", "context", "failure",
      "digest",
      "total", "tally",
      "decodes", "loss",
    ]

    @Test(arguments: names)
    func `a column may have any number, in each row and in all`(table: String) async throws {
      let table = try #require(Self.tables.get().first { $0.name == table })
      let changes = table.numbers.flatMap { column in
        [Int64.max, .min].flatMap { number in
          [table.change(column, to: number)]
            + rows(of: table).map { table.change(column, to: number, row: $0) }
        }
      }
      // A column has four changes, so with every third command each of them reads at least one.
      try await expectEnds(changes, everyNth: Self.isThorough ? 1 : Self.isQuick ? 36 : 3)
    }

    private func rows(of table: Table) -> Range<Int64> {
      (Self.isThorough ? 0 : table.rows - 1)..<table.rows
    }

    @Test(arguments: [.max, .min, -1, 0, 1, 1 << 31, 1 << 53, (1 << 53) + 1, 1 << 62] as [Int64])
    func `all columns may have any number`(number: Int64) async throws {
      let tables = try Self.tables.get()
      // All at once, and without those that are looked at before anything else.
      let changes = [true, false].map { isWhole in
        tables.filter { isWhole || $0.name != "store" }
          .flatMap { table in
            table.numbers.filter {
              isWhole
                || !["id", "hour", "start", "model", "context", "source", "failure"].contains($0)
            }
            .map { table.change($0, to: number) }
          }.joined(separator: ";\n")
      }
      try await expectEnds(changes, everyNth: Self.isQuick ? 4 : 1)
    }

    private static let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"

    /// A view that has no end in the place of each table.
    private static let views = names.map {
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
        "DROP VIEW failures; CREATE VIEW failures AS \(endless) SELECT x AS occurrences FROM n",
        "ALTER TABLE digest ADD COLUMN more TEXT AS (printf('%*s', 100000000, id))",
        "ALTER TABLE digest ADD COLUMN more TEXT",
        "DROP TABLE total; CREATE VIRTUAL TABLE total USING fts5(failure, occurrences)",
        loose("tally"), loose("digest"), "DROP INDEX failure_overflow", "DROP INDEX failure_place",
        "PRAGMA user_version = -1", "PRAGMA user_version = 0", "PRAGMA user_version = 1",
        "PRAGMA user_version = 3", "PRAGMA application_id = -1",
      ]

    private static let contents: [String] =
      [
        "UPDATE digest SET errors = '[[1,' || replace(hex(zeroblob(500000)), '00', '[')",
        "UPDATE digest SET errors = '[[1,{\"m\":' || replace(hex(zeroblob(500000)), '0', '{')",
        "UPDATE digest SET errors = '[' || replace(hex(zeroblob(100000)), '00', '[1],') || '[1]]'",
        "UPDATE digest SET errors = '[[1x]]'", "UPDATE digest SET errors = ''",
        "UPDATE digest SET errors = '{}'", "UPDATE digest SET errors = '{\"0\":[1]}'",
        "UPDATE digest SET errors = '[1,null,\"x\"]'", "UPDATE digest SET errors = '[[1.5]]'",
        "UPDATE digest SET errors = '[[1,\"\\'", "UPDATE digest SET errors = '[[1,\"\\u12'",
        "UPDATE digest SET errors = '[[1,null,999999999999]]'",
        "UPDATE digest SET errors = '[[1,null,9223372036854775807]]'",
        "UPDATE digest SET errors = '[[1,null,0]]'", "UPDATE digest SET errors = '[[1,null,-1]]'",
        "UPDATE digest SET errors = '[' || replace(hex(zeroblob(9999)), '00', "
          + "'[1,null,99999999999],') || '[1]]'",
        "UPDATE failure SET coding_path = 'a\"[%*'", "UPDATE failure SET kind = 'x'",
        """
        DELETE FROM decodes WHERE context = 0 AND decodes > digests;
        INSERT INTO decodes VALUES (24, 0, 9223372036854775807, 1, 5, 1, 1, 1)
        """,
        """
        DELETE FROM decodes WHERE context = 0 AND decodes > digests;
        INSERT INTO decodes VALUES (1, 0, 9223372036854775807, 1, 5, 1, 1, 1)
        """,
        """
        INSERT INTO decodes
        WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000)
        SELECT 24, 1, x, 1, 9007199254740992, 9007199254740992, 1, 1 FROM n
        """,
        "UPDATE digest SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM digest)",
        "DELETE FROM failure", "DELETE FROM model", "DELETE FROM context", "DELETE FROM source",
        "DELETE FROM store", "DELETE FROM total", "DELETE FROM tally",
        "PRAGMA ignore_check_constraints = ON; INSERT INTO store SELECT 2, identity, 0 FROM store",
        "UPDATE store SET identity = hex(zeroblob(500000))", "UPDATE store SET identity = ''",
      ]

    private static let endlessLosses =
      "SELECT 'x' || x, 1, 1, 1, NULL FROM (\(endless) SELECT x FROM n)"

    /// Makes a table anew that takes anything.
    private static func loose(_ table: String) -> String {
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(replace(sql, ', STRICT', ''), 'STRICT', '')
        WHERE name = '\(table)';
      PRAGMA writable_schema = RESET
      """
    }

    @Test(arguments: [views, schemas, contents])
    func `a file with a crafted schema or content`(tricks: [String]) async throws {
      let few = ["report", "verify", "prune", "push"]
      let some = few + ["trend --by hour", "digests", "export --format", "import"]
      try await expectEnds(
        tricks,
        commands: Self.commands.filter { command in
          Self.isThorough || (Self.isQuick ? few : some).contains { command.hasPrefix($0) }
        }, changesAll: true, everyNth: Self.isQuick ? 3 : 1)
    }

    @Test(arguments: [
      "UPDATE digest SET recorded_at = 9223372036854775807",
      "UPDATE total SET occurrences = 9223372036854775807, digests = 9223372036854775807",
      "UPDATE tally SET start = -start",
      "DELETE FROM digest", "DELETE FROM decodes",
    ])
    func `a file that is too large is pruned to the end`(trick: String) async throws {
      try await expectEnds(
        [trick], of: Self.large.get(),
        commands: ["prune --max-bytes 1048576", "import more.ndjson"])
    }

    /// A store of 2 MB.
    private static let large = Result {
      let long = String(repeating: "long ", count: 1_000)
      let digests = (0..<400).map { number in
        Digest(
          "d-\(number + 1)", release: "4.\(number % 7)",
          recordedAt: "2026-11-\(10 + number % 20)T10:00:00.000Z",
          failures: [.novel(found: ("string", "\(number) \(long)"))])
      }
      return try #require(Sandbox(importing: digests).bytes())
    }

    /// Runs commands on stores that were changed, each on a file of its own, and expects that they
    /// end by themselves.
    ///
    /// - Parameters:
    ///   - changes: SQL, of a store each. What SQLite refuses to change is not changed: that is as
    ///     good a file as any.
    ///   - isStore: whether every answer is to be one on a sound store.
    ///   - changesAll: whether each of the changes is to be one.
    ///   - step: runs every command after each change if 1; otherwise every nth command, beginning
    ///     with another one after each change.
    private func expectEnds(
      _ changes: [String],
      of store: Data? = nil,
      commands: [String] = commands,
      isStore: Bool = false,
      changesAll: Bool = false,
      everyNth step: Int = 1
    ) async throws {
      let sandbox = try Sandbox()
      try (store ?? Self.store.get()).write(to: sandbox.url("store"))
      try Self.other.get().write(to: sandbox.url("other.sqlite"))
      try sandbox.write(Digest(novelValue: "yurt").line, to: "more.ndjson")
      await #expect(processExitsWith: .success) {
        [directory = sandbox.directory as URL, changes, commands, isStore, changesAll, step] in
        let files = CraftedFiles(directory: directory)
        let commands = try commands.map { try ForkedTool.Command($0) }
        let original = try files.contents(after: "SELECT 1")
        for (number, change) in changes.enumerated() {
          let contents = try files.contents(after: change)
          if changesAll, contents == original { Issue.record("nothing has changed by \(change)") }
          for (place, command) in commands.enumerated() where (place + number) % step == 0 {
            let outcome = try files.run(command, on: contents)
            if !(isStore ? outcome.answers(command.text) : outcome.isEnd) {
              Issue.record("\(command.text) after \(change): \(outcome)")
            }
          }
        }
      }
    }
  }

  /// The files of a test, in a process of its own.
  private struct CraftedFiles {
    let directory: URL

    /// The bytes of the store after a change.
    func contents(after change: String) throws -> Data {
      let file = directory.appendingPathComponent("crafted.sqlite")
      try Data(contentsOf: directory.appendingPathComponent("store")).write(to: file)
      do {
        let connection = try Connection(path: file.path, mode: .readWrite)
        // One at a time: SQLite stops at the first statement that it refuses.
        for sql in ["PRAGMA ignore_check_constraints = ON"] + change.components(separatedBy: ";\n")
        {
          try? connection.execute(sql)
        }
        try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      }
      return try Data(contentsOf: file)
    }

    /// Runs a command on a store with these contents.
    func run(_ command: ForkedTool.Command, on contents: Data) throws -> Outcome {
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)
      where name.hasPrefix(Sandbox.store) || name.hasPrefix("pushed") {
        try FileManager.default.removeItem(at: directory.appendingPathComponent(name))
      }
      try contents.write(to: directory.appendingPathComponent(Sandbox.store))
      return try ForkedTool(directory: directory).run(command)
    }
  }

  extension Outcome {
    /// Whether a run has ended by itself: 64 says that a trend would have too many points.
    fileprivate var isEnd: Bool {
      [0, 1, 64, 65, 66, 74].contains(status)
        && (status < 2
          || stderr.split(separator: "\n").allSatisfy { $0.hasPrefix("digest-query: ") })
    }

    /// Whether a run has ended as it does on a sound store.
    fileprivate func answers(_ command: String) -> Bool {
      status == 0
        || status == 1 && ["verify", "check", "doctor"].contains { command.hasPrefix($0) }
        // The losses of the store say that days are gone.
        || status == 64 && command.hasPrefix("trend --by hour")
    }
  }

  /// Opens a copy of a store.
  private func withConnection<Value>(
    to store: Data, _ body: (Connection) throws -> Value
  ) throws -> Value {
    let sandbox = try Sandbox()
    try store.write(to: sandbox.url(Sandbox.store))
    return try body(Connection(path: sandbox.url(Sandbox.store).path, mode: .readWrite))
  }
#endif
