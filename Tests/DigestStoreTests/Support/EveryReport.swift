import Foundation

@testable import DigestStore

/// A report of a reader, by name.
struct EveryReport: Sendable {
  let name: String
  let read: @Sendable (DigestReader, DigestFilter) throws -> Void

  init(_ name: String, _ read: @escaping @Sendable (DigestReader, DigestFilter) throws -> Void) {
    self.name = name
    self.read = read
  }

  static let all: [Self] =
    [
      Self("failures") { _ = try $0.failures(matching: $1) },
      Self("first failures") { _ = try $0.failures(matching: $1, limit: 20) },
      Self("novel values") { _ = try $0.novelValues(matching: $1, limit: 20) },
      Self("new failures") { _ = try $0.newFailures(matching: $1) },
      Self("failures by operation") { _ = try $0.failuresByOperation(matching: $1) },
      Self("models") { _ = try $0.models(matching: $1) },
      Self("models by release") { _ = try $0.models(matching: $1, by: .release) },
      Self("models by environment") { _ = try $0.models(matching: $1, by: .environment) },
      Self("models by operation") { _ = try $0.models(matching: $1, by: .operation) },
      Self("adoption") { _ = try $0.adoption(matching: $1, limit: 20) },
      Self("overview") { _ = try $0.overview(matching: $1, limit: 20) },
      Self("occurrences") { _ = try $0.occurrences(matching: $1) },
      Self("decodes") { _ = try $0.decodeCounts(matching: $1) },
      Self("counts by release") { _ = try $0.countsByRelease(matching: $1) },
      Self("coverage by minute") { _ = try $0.coverage(matching: $1, by: .minute) },
      Self("renames") { _ = try $0.latestRenames(matching: $1) },
      Self("sources") { reader, _ in _ = try reader.sources() },
      Self("changes") { reader, filter in
        var before = filter
        (before.since, before.until) = (nil, filter.since)
        _ = try reader.failureChanges(from: before, to: filter)
      },
      Self("trend by hour") { _ = try $0.trend(matching: $1, by: .hour) },
      Self("trend with rates") { reader, filter in
        guard !filter.choosesFailures else { return }
        _ = try reader.trend(matching: filter, by: .day, rates: true)
      },
    ]
    + DigestStore.Trend.Grouping.allCases.map { grouping in
      Self("trend by day and \(grouping)") {
        _ = try $0.trend(matching: $1, by: .day, groupedBy: grouping, limit: 20)
      }
    }
    + [
      Self("models by source") { _ = try $0.models(matching: $1, by: .source) },
      Self("summary") { reader, filter in
        let end = Moment(milliseconds: RandomRecords.start + 99 * Moment.hour + 1_234)
        let until = filter.until ?? end.date
        let since = min(filter.since ?? until.addingTimeInterval(-86_400), until)
        _ = try reader.summary(of: since..<until, matching: filter, limit: 20)
      },
    ]
}

extension DigestReader {
  /// All that a report and its notes ask for.
  func answers() throws -> [String] {
    try [
      "\(novelValues())", "\(failures())", "\(models())", "\(totals())", "\(occurrences())",
      "\(losses())", "\(reachedLimits())", "\(overview(limit: 5))", "\(trend(by: .day))",
      "\(countedWindow(matching: DigestFilter()))", "\(names(of: .model))", "\(digests(limit: 9))",
      "\(lines())",
    ]
  }
}
