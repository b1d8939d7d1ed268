#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// All that a filter lets through, as one.
public struct Totals: Sendable, Hashable {
  /// How many digests had at least one of the errors; nil where that is not known of some model,
  /// which ``DigestStore/models(matching:limit:)`` says when.
  public let digests: Int?
  /// How many errors.
  public let occurrences: Int
  /// How many models had one.
  public let models: Int
  /// How many different failures, novel values among them.
  public let failures: Int
  /// How many different novel values, each of a model and a coding path.
  public let novelValues: Int
  /// When the first of the errors was recorded; nil where there is none.
  public let firstSeen: Date?
  /// When the last of the errors was recorded; nil where there is none.
  public let lastSeen: Date?
}

extension DigestStore {
  /// Counts all errors, the digests that had one, and how many different things went wrong.
  ///
  /// The counts are those of ``models(matching:limit:)``, added up.
  ///
  /// - Parameter filter: which errors count.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func totals(matching filter: DigestFilter = DigestFilter()) throws -> Totals {
    try snapshot { try Totals($0.modelTotals(filter).models) }
  }

  /// Counts all errors, and nothing else: sooner than ``totals(matching:)`` does.
  ///
  /// - Parameter filter: which errors count, to the millisecond.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func occurrences(matching filter: DigestFilter = DigestFilter()) throws -> Int {
    try snapshot { snapshot in
      let window = try snapshot.window(filter)
      return Int(
        try snapshot.sums(filter, in: window, from: snapshot.table(for: filter)).occurrences)
    }
  }
}

extension Totals {
  init(_ models: [ModelTotal]) {
    // A digest is of one model.
    let digests = models.reduce(Int64?(0)) { sum, total in
      sum.flatMap { sum in total.digests.map { sum.adding(count: $0) } }
    }
    self.init(
      digests: digests.map { Int($0) },
      occurrences: Int(clamping: models.sum(of: \.cell.occurrences)),
      models: models.count,
      failures: models.sum(of: \.failures),
      novelValues: models.sum(of: \.novelValues),
      firstSeen: models.map(\.cell.first).min().map { Moment(milliseconds: $0).date },
      lastSeen: models.map(\.cell.last).max().map { Moment(milliseconds: $0).date }
    )
  }
}
