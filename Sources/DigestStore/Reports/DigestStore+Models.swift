#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A model whose payloads are not what the app expects, and how often that is so.
public struct ModelCount: Sendable, Hashable {
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// How many errors.
  public let occurrences: Int
  /// How many digests had at least one of them; nil where that is not known, which
  /// ``DigestStore/models(matching:limit:)`` says when.
  public let digests: Int?
  /// The part of the digests that ``digests`` are, from 0 to 1: of those of all models that the
  /// filter's window and release let through.
  public let share: Double?
  /// How many different failures, novel values among them.
  public let failures: Int
  /// How many different novel values.
  public let novelValues: Int
  /// When the first of the errors was recorded.
  public let firstSeen: Date
  /// When the last of the errors was recorded.
  public let lastSeen: Date
}

extension DigestStore {
  /// Counts the errors of each model, and the digests that had one, the most errors first.
  ///
  /// The counts are exact under every filter, to the millisecond. Models with as many errors are in
  /// the order of their names.
  ///
  /// How many digests had an error is nil where the filter excludes some of a model's failures and
  /// includes several. Then it is known only if all digests of the window are still in the file, and
  /// there are at most some 20,000.
  ///
  /// Where digests were evicted, ``countedWindow(matching:by:)`` tells which window is counted.
  ///
  /// - Parameters:
  ///   - filter: which errors count.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func models(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [ModelCount] {
    try snapshot { snapshot in
      let (totals, allDigests) = try snapshot.modelTotals(filter)
      return try snapshot.ranked(totals, of: allDigests, limit: limit).map(\.count)
    }
  }
}

extension Snapshot {
  /// Adds the names to what was counted by model, and ranks that.
  ///
  /// - Parameter allDigests: how many there are of all models.
  func ranked(
    _ totals: [ModelTotal],
    of allDigests: Int64,
    limit: Int?
  ) throws -> [(id: Int64, count: ModelCount)] {
    let names = try Dictionary(
      connection.rows("SELECT id, name FROM model") { ($0.integer(at: 0), $0.text(at: 1) ?? "") },
      uniquingKeysWith: { $1 })
    let counts = totals.map { total in
      (
        id: total.cell.failure,
        count: ModelCount(total, names[total.cell.failure] ?? "", of: allDigests)
      )
    }.sorted { lhs, rhs in
      lhs.count.occurrences == rhs.count.occurrences
        ? lhs.count.model.byteOrder(to: rhs.count.model) < 0
        : lhs.count.occurrences > rhs.count.occurrences
    }
    return limit.map { Array(counts.prefix(max(0, $0))) } ?? counts
  }
}

extension ModelCount {
  fileprivate init(_ total: ModelTotal, _ name: String, of allDigests: Int64) {
    let digests = total.digests.map { Int($0) }
    self.init(
      model: name,
      occurrences: Int(total.cell.occurrences),
      digests: digests,
      share: digests.flatMap { digests in
        allDigests > 0 ? Double(digests) / Double(allDigests) : nil
      },
      failures: total.failures,
      novelValues: total.novelValues,
      firstSeen: Moment(milliseconds: total.cell.first).date,
      lastSeen: Moment(milliseconds: total.cell.last).date
    )
  }
}
