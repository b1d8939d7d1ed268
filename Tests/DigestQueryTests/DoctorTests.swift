import Foundation
import Testing

struct DoctorTests {
  /// What is said of a sound store, but for the sizes, and the free space, which an import may leave.
  private static let lines = [
    "path,digests.sqlite,ok,", "mode,0600,ok,", "schema,1,ok,",
    "auto_vacuum,incremental,ok,", "structure,ok,ok,", "file_bytes,%,ok,", "log_bytes,0,ok,",
    "free_pages,#,ok,", "recorded_digests,5,ok,", "entries,10,ok,", "tail_digests,0,ok,",
    "newest_error,2026-11-22T23:59:59.999Z,ok,", "limit,none,ok,", "loss,none,ok,",
    "set_aside,none,ok,",
  ]

  @Test func `a sound store has a row a check`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)

    let outcome = try sandbox.run("doctor", "--format", "csv")

    #expect(outcome.stderr == "")
    #expect(outcome.lines.first == "check,value,status,remedy")
    let size = try #require(sandbox.bytes()).count
    #expect(
      outcome.lines.dropFirst().filter { !$0.hasPrefix("free_bytes,") }
        .map { $0.replacing(/^free_pages,\d+/, with: "free_pages,#") }
        == Self.lines.map { $0.replacing("%", with: "\(size)") })
    #expect(outcome.status == 0)
  }

  @Test func `every format has the same rows`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let csv = try sandbox.run("doctor", "--format", "csv").lines.dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }

    func body(_ format: String) throws -> ArraySlice<String> {
      let outcome = try sandbox.run("doctor", "--format", format)
      #expect(outcome.stderr == "")
      return outcome.lines.suffix(csv.count)
    }
    #expect(
      try body("table").map { $0.split(separator: /\ {2,}/).map(String.init) }
        == csv.map { $0.map { $0.isEmpty ? "-" : $0 } })
    #expect(try body("tsv").map { $0 } == csv.map { $0.joined(separator: "\t") })
    #expect(
      try body("markdown").map { $0.replacing("\\", with: "").replacing("`", with: "") }
        == csv.map { "| \($0.joined(separator: " | ")) |" })
    let objects = csv.map { row in
      let remedy = row[3].isEmpty ? "null" : "\"\(row[3])\""
      return #"{"check": "\#(row[0])", "value": "\#(row[1])", "status": "\#(row[2])", "#
        + #""remedy": \#(remedy)}"#
    }
    #expect(try Array(body("ndjson")) == objects)
    let json = try sandbox.run("doctor", "--format", "json").stdout
    #expect(json.hasSuffix("[\n  \(objects.joined(separator: ",\n  "))\n]\n"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `each problem has its remedy, and the exit status is 1`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let hour = Int(Date().timeIntervalSince1970) / 3_600
    try sandbox.alter(
      """
      INSERT INTO loss (reason, hour, digests, occurrences, note) VALUES ('failed write', \(hour), 1, 5, NULL),
        ('quarantined', 400000, 2, 7, 'digests.sqlite.broken-1');
      UPDATE store SET folded = 0;
      """)
    try sandbox.write("", to: "digests.sqlite.broken-1")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: sandbox.url(Sandbox.store).path)

    let outcome = try sandbox.run("doctor", "--format", "tsv")

    #expect(outcome.status == 1)
    #expect(outcome.stderr == "")
    let rows = outcome.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let warnings = rows.filter { $0[2] == "warning" }
    #expect(warnings.map { $0[0] } == ["mode", "loss", "set_aside"])
    #expect(warnings.allSatisfy { !$0[3].isEmpty })
    #expect(outcome.lines.contains("tail_digests\t5\tok\t"))
    #expect(
      outcome.lines.contains(
        "loss\tquarantined: 2 digests, 7 occurrences, hours 2015-08-19T16:00:00.000Z to "
          + "2015-08-19T16:00:00.000Z: digests.sqlite.broken-1\tok\t"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `a loss that is known isn't a warning with a later time`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let hour = Int(Date().timeIntervalSince1970) / 3_600
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences, note) VALUES ('failed write', \(hour - 3), 1, 5, NULL)"
    )

    let all = try sandbox.run("doctor", "--format", "csv")
    #expect(all.status == 1)
    #expect(try sandbox.run("doctor", "--format", "csv", "--since", "1d").lines == all.lines)

    let later = try sandbox.run("doctor", "--format", "csv", "--since", "1h")
    #expect(later.status == 0)
    #expect(later.lines.contains { $0.wholeMatch(of: /loss,none since 2.*Z,ok,/) != nil })
    #expect(
      later.lines.filter { !$0.hasPrefix("loss,") } == all.lines.filter { !$0.hasPrefix("loss,") })
  }

  @Test func `no loss can be known that is in the future`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("doctor", "--since", "2199-01-01")
        == .failure(
          64, "--since is in the future; name the next full hour or before"
        )
    )
  }

  @Test func `a closed pipe does not make it healthy`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for (mode, status) in [(0o644, Int32(1)), (0o600, 0)] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: sandbox.url(Sandbox.store).path)
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      #expect(try sandbox.run(["doctor"], stdout: pipe) == Outcome(status: status))
    }
  }

  @Test func `free space and evicted digests cause no warning`() throws {
    let ndjson = Drift.ndjson.replacing("\"2026-", with: "\"2016-")
    let sandbox = try Sandbox(importing: ndjson)
    try sandbox.evictAll()

    let outcome = try sandbox.run("doctor", "--format", "csv")

    #expect(outcome.lines.contains("recorded_digests,0,ok,"))
    #expect(outcome.lines.contains("entries,0,ok,"))
    #expect(outcome.status == 0)
  }

  @Test func `nothing is changed`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let bytes = sandbox.bytes()
    _ = try sandbox.run("doctor")
    #expect(sandbox.bytes() == bytes)
  }
}
