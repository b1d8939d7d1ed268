import Foundation
import ResilientDecoding

@testable import DigestStore

/// Counts records the plain way, to hold a store's reports against.
struct Recount: Equatable {
  var occurrences = 0
  var digests = 0
  var first = Moment.latest
  var last = Moment.earliest

  private mutating func add(_ occurrences: Int, of record: DigestRecord) {
    self.occurrences += occurrences
    digests += 1
    first = min(first, record.recordedAt)
    last = max(last, record.recordedAt)
  }

  /// Counts by what `key` says of an error; errors for which it says nil do not count.
  static func of(
    _ records: [DigestRecord],
    by key: (DigestRecord, FailureRecord) -> String?
  ) -> [String: Recount] {
    records.reduce(into: [:]) { counts, record in
      let errors = record.entries.map { ($0, 1) } + record.omissions.map { ($0.failure, $0.count) }
      let keyed = errors.compactMap { failure, count in key(record, failure).map { ($0, count) } }
      for (key, errors) in Dictionary(grouping: keyed, by: \.0) {
        counts[key, default: Recount()].add(errors.reduce(0) { $0 + $1.1 }, of: record)
      }
    }
  }
}

extension Recount {
  /// What was found by the first occurrence of each failure that had something, as its columns.
  static func samples(_ records: [DigestRecord]) -> [String: String] {
    let nothing = ErrorDigest.FoundValue?.none.columns
    return records.reduce(into: [:]) { samples, record in
      for failure in record.entries + record.omissions.map(\.failure) {
        let key = failure.failureKey(in: record)
        if samples[key, default: nothing] == nothing { samples[key] = failure.found.columns }
      }
    }
  }
}

extension Recount {
  /// The releases of the first errors, by what `key` says of an error; `-` for none. Of several at
  /// the same moment it is the first by name, and merged releases come last.
  static func firstReleases(
    _ records: [DigestRecord],
    by key: (DigestRecord, FailureRecord) -> String?
  ) -> [String: String] {
    func order(_ record: DigestRecord) -> (Moment, Int, String) {
      let name = record.release ?? ""
      return (record.recordedAt, name == Overflow.release ? 1 : 0, name)
    }
    return records.sorted { order($0) < order($1) }.reduce(into: [:]) { releases, record in
      for failure in record.entries + record.omissions.map(\.failure) {
        guard let key = key(record, failure), releases[key] == nil else { continue }
        releases[key] = record.release ?? "-"
      }
    }
  }
}

extension [DigestStore.NovelValueCount] {
  /// The releases of the first errors by key, as a recount has them.
  var firstReleases: [String: String] {
    Dictionary(map { ($0.key, $0.firstRelease ?? "-") }) { first, _ in first }
  }
}

extension [DigestStore.FailureCount] {
  /// The releases of the first errors by key, as a recount has them.
  var firstReleases: [String: String] {
    Dictionary(map { ($0.key, $0.firstRelease ?? "-") }) { first, _ in first }
  }
}

extension DigestStore.NovelValueCount {
  var key: String { "\(model)|\(codingPath)|\(novelValue)|\(valueType ?? "-")" }

  var recount: Recount {
    Recount(
      occurrences: occurrences, digests: digests, first: Moment(firstSeen), last: Moment(lastSeen))
  }
}

extension DigestStore.FailureCount {
  var sample: String { "\(foundType?.rawValue ?? "-")|\(foundValue ?? "-")" }

  var key: String {
    "\(model)|\(codingPath)|\(kind)|\(expectedType ?? "-")|\(novelValue ?? "-")|\(valueType ?? "-")"
  }

  var recount: Recount {
    Recount(
      occurrences: occurrences, digests: digests, first: Moment(firstSeen), last: Moment(lastSeen))
  }
}

extension FailureRecord {
  func novelValueKey(in record: DigestRecord) -> String? {
    novelValue.map { "\(record.model)|\(path.pattern)|\($0)|\(valueType ?? "-")" }
  }

  func failureKey(in record: DigestRecord) -> String {
    "\(record.model)|\(path.pattern)|\(kind.rawValue)|\(expectedType ?? "-")|\(novelValue ?? "-")|"
      + (valueType ?? "-")
  }
}
