import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// The work of reports, as the steps of SQLite's virtual machine (SQLite,
/// "SQLITE_STMTSTATUS_VM_STEP"). Steps are the same in each run, unlike time.
struct LinearTimeTests {
  /// Ten times the failures, with as many times the digests, contexts, models and hours. Sorting adds
  /// a logarithm, and few steps have a large constant part; a pair of each would take 100 times the
  /// steps.
  ///
  /// A short run takes one window for each report and filter, and each window for each report.
  @Test func `ten times the failures take every report at most 25 times the steps`() throws {
    let (small, large) = try (SteppedStore(failures: 300), SteppedStore(failures: 3_000))
    var cases = 0
    for report in EveryReport.all {
      for (filterName, filter) in Self.filters {
        for window in SteppedStore.Window.allCases
        where Repetitions.areLong || cases % 3 == window.rawValue {
          let few = try small.steps(of: report, filter, window)
          let many = try large.steps(of: report, filter, window)
          #expect(
            many <= 25 * few, "\(report.name), \(filterName), \(window): \(few) steps, then \(many)"
          )
        }
        cases += 1
      }
    }
    #expect(cases == EveryReport.all.count * 8)
  }

  @Test func `ten times the hours and contexts take verify at most 15 times the steps`() throws {
    let report = EveryReport("verify") { reader, _ in _ = try reader.verify() }
    let few = try SteppedStore(failures: 300).steps(of: report, DigestFilter(), .none)
    let many = try SteppedStore(failures: 3_000).steps(of: report, DigestFilter(), .none)
    #expect(many <= 15 * few, "\(few) steps, then \(many)")
  }

  private static let filters: [(String, DigestFilter)] = [
    ("no filter", DigestFilter()), ("release", DigestFilter(release: "4.2")),
    ("environment", DigestFilter(environment: "production")),
    ("operation", DigestFilter(operation: "GET *")), ("model", DigestFilter(model: "App.*0")),
    ("path", DigestFilter(codingPath: "items[].kind1")), ("value", DigestFilter(novelValue: "v*")),
    ("kind", DigestFilter(kind: .typeMismatch)),
  ]
}

/// A store with some failures, each in four digests, and a reader that counts its steps.
private final class SteppedStore {
  enum Window: Int, CaseIterable {
    case none, wholeHours, oddEnds
  }

  private let temporary: TemporaryStore
  private let reader: DigestReader
  private let hours: Int64
  private let steps = VMSteps()

  init(failures: Int) throws {
    temporary = try TemporaryStore()
    hours = Int64(failures) / 3
    try temporary.store.appendAll(Self.records(failures))
    try temporary.foldAll()
    try temporary.store.close()
    // As many decodes succeeded as failed. Nobody folds the new digests.
    try temporary.execute(
      """
      UPDATE decodes SET decodes = 2 * digests;
      INSERT INTO digest (id, recorded_at, model, context, errors)
      SELECT id + (SELECT max(id) FROM digest), recorded_at, model, context, errors FROM digest
      WHERE id % 10 = 0
      """)
    reader = try DigestReader(path: temporary.path)
    try reader.readFile { [steps] in steps.record($0) }
  }

  /// The steps of a report.
  func steps(
    of report: EveryReport, _ filter: DigestFilter, _ window: Window
  ) throws -> Int {
    var filter = filter
    (filter.since, filter.until) =
      switch window {
      case .none: (nil, nil)
      case .wholeHours: (date(hours / 4, 0), date(hours * 3 / 4, 0))
      case .oddEnds: (date(hours / 4, 1_043_000), date(hours * 3 / 4, 2_591_000))
      }
    _ = steps.take()
    try report.read(reader, filter)
    return steps.take()
  }

  private func date(_ hour: Int64, _ milliseconds: Int64) -> Date {
    Moment(milliseconds: Self.start + hour * Moment.hour + milliseconds).date
  }

  private static let start = RandomRecords.start / Moment.hour * Moment.hour

  /// Half of the digests are of release 4.2, and the others of as many releases as there are models.
  private static func records(_ failures: Int) -> [DigestRecord] {
    let models = failures / 100
    return (0..<failures * 2).map { number in
      let index = number / models
      return DigestRecord.make(
        at: Moment(milliseconds: start + Int64(number) * Moment.hour / 6),
        model: "App.Model\(number % models)",
        release: index % 2 == 0 ? "4.2" : "4.\(3 + number % (10 * models))",
        environment: index % 3 == 0 ? "staging" : "production",
        operation: ["GET /listings", "GET /users", "POST /users"][index % 3],
        failure(index % 100), failure((index * 7 + 3) % 100))
    }
  }

  private static func failure(_ index: Int) -> RecordedError {
    index % 4 == 0
      ? .mismatch(at: "items[0].field\(index)")
      : .novel("v\(index)", at: "items[0].kind\(index % 10)")
  }
}
