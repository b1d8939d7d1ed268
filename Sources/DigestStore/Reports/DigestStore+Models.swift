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
  /// How many digests had an error is nil
  /// - where the filter leaves out some of a model's failures and lets several through. Then it is
  ///   only known where all digests of the window are still in the file and they are few, some
  ///   20,000;
  /// - where the window begins before ``modelsCountedSince()``, with the same exception.
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

  /// Tells from which moment on the file knows of each model how many digests had an error.
  ///
  /// - Returns: the distant past where it has always counted them. The beginning of an hour where it
  ///   began to when digests had been evicted: of those the errors are counted, and they are not. The
  ///   distant future where it does not, because its schema is older and it is only read.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func modelsCountedSince() throws -> Date {
    try snapshot { snapshot in
      guard let hour = try snapshot.modelsSince() else { return .distantFuture }
      return hour == 0 ? .distantPast : Moment(milliseconds: hour * Moment.hour).date
    }
  }
}

extension Snapshot {
  /// Adds the names to what was counted by model, and ranks that.
  ///
  /// - Parameter allDigests: how many there are of all models.
  func ranked(
    _ totals: [ModelTotal],
    of allDigests: Int64?,
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
  fileprivate init(_ total: ModelTotal, _ name: String, of allDigests: Int64?) {
    let digests = total.digests.map { Int($0) }
    self.init(
      model: name,
      occurrences: Int(total.cell.occurrences),
      digests: digests,
      share: digests.flatMap { digests in
        allDigests.flatMap { $0 > 0 ? Double(digests) / Double($0) : nil }
      },
      failures: total.failures,
      novelValues: total.novelValues,
      firstSeen: Moment(milliseconds: total.cell.first).date,
      lastSeen: Moment(milliseconds: total.cell.last).date
    )
  }
}
