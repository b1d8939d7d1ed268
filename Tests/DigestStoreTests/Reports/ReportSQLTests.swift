import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

/// The statements of each report, as one can paste them into `sqlite3`.
struct ReportSQLTests {
  /// The filters under which a report is recorded.
  private static let filters: [(name: String, filter: DigestFilter)] = {
    let start = Moment(milliseconds: RandomRecords.start + 40 * Moment.hour + 1_234).date
    let end = Moment(milliseconds: RandomRecords.start + 120 * Moment.hour + 567).date
    return [
      ("Without a filter", DigestFilter()),
      ("With a release, in a window", DigestFilter(release: "4.2", since: start, until: end)),
    ]
  }()

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "SQL")

  private static func statements(
    of report: EveryReport, _ filter: DigestFilter, _ path: String
  ) throws -> String {
    let reader = try DigestReader(path: path)
    let log = StatementLog()
    try reader.readFile { log.record($0) }
    try reader.atOneMoment { try report.read(reader, filter) }
    try reader.close()
    let statements = log.all.filter { $0.contains("SELECT") || $0.hasPrefix("CREATE") }
    return statements.map { $0 + ";\n" }.joined(separator: "\n")
  }

  /// `RECORD_SQL=1` writes the files anew.
  @Test func `each report runs the statements that are kept beside this file`() throws {
    let temporary = try TemporaryStore(holding: RandomRecords.make(300, seed: 4))
    try temporary.foldAll()
    try temporary.execute("UPDATE decodes SET decodes = 2 * digests")
    try temporary.store.append(.make())
    let isRecording = ProcessInfo.processInfo.environment["RECORD_SQL"] != nil
    var names: Set<String> = []
    for report in EveryReport.all {
      let parts = try Self.filters.map { name, filter in
        try "-- \(name)\n\n" + Self.statements(of: report, filter, temporary.path)
      }
      let name = report.name.replacing(" ", with: "-") + ".sql"
      let file = Self.folder.appending(path: name)
      let text = parts.joined(separator: "\n")
      names.insert(name)
      if isRecording { try Data(text.utf8).write(to: file) }
      let kept = try? String(decoding: Data(contentsOf: file), as: UTF8.self)
      #expect(kept == text, "\(name) differs; RECORD_SQL=1 writes it anew")
    }
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)) == names)
  }
}
