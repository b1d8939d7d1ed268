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
    by key: (DigestRecord, RecordedError) -> String?
  ) -> [String: Recount] {
    records.reduce(into: [:]) { counts, record in
      let keyed = record.errors.compactMap { failure in
        key(record, failure).map { ($0, failure.times) }
      }
      for (key, errors) in Dictionary(grouping: keyed, by: \.0) {
        counts[key, default: Recount()].add(errors.reduce(0) { $0 + $1.1 }, of: record)
      }
    }
  }
}

extension Recount {
  /// Counts records in a window, with the times of the first and the last of `all`.
  static func of(
    _ records: [DigestRecord], seenIn all: [DigestRecord],
    by key: (DigestRecord, RecordedError) -> String?
  ) -> [String: Recount] {
    let times = of(all, by: key)
    return of(records, by: key).reduce(into: [:]) { counts, count in
      counts[count.key] = count.value
      counts[count.key]?.first = times[count.key]?.first ?? .latest
      counts[count.key]?.last = times[count.key]?.last ?? .earliest
    }
  }
}

extension Recount {
  /// The releases of the first errors, by what `key` says of an error; `-` for none. Of several at
  /// the same moment it is the first by name, and merged releases come last.
  static func firstReleases(
    _ records: [DigestRecord],
    by key: (DigestRecord, RecordedError) -> String?
  ) -> [String: String] {
    func order(_ record: DigestRecord) -> (Moment, Int, String) {
      let name = record.release ?? ""
      return (record.recordedAt, name == Overflow.release ? 1 : 0, name)
    }
    return records.sorted { order($0) < order($1) }.reduce(into: [:]) { releases, record in
      for failure in record.errors {
        guard let key = key(record, failure), releases[key] == nil else { continue }
        releases[key] = record.release ?? "-"
      }
    }
  }
}

extension [DigestStore.FailureCount] {
  /// The releases of the first errors by key, as a recount has them.
  var firstReleases: [String: String] {
    Dictionary(map { ($0.key, $0.firstRelease ?? "-") }) { first, _ in first }
  }
}

extension DigestStore.FailureCount {
  var sample: String { "\(foundType?.rawValue ?? "-")|\(foundValue ?? "-")" }

  var key: String {
    novelValue.map { "\(model)|\(codingPath)|\($0)|\(valueType ?? "-")" }
      ?? "\(model)|\(codingPath)|\(kind)|\(expectedType ?? "-")"
  }

  var recount: Recount {
    Recount(
      occurrences: occurrences, digests: digests, first: Moment(firstSeen), last: Moment(lastSeen))
  }
}

extension RecordedError {
  func novelValueKey(in record: DigestRecord) -> String? {
    novelValue.map { "\(record.model)|\(path.pattern)|\($0)|\(valueType ?? "-")" }
  }

  /// A novel value is one failure, whatever its kind and expected type.
  func failureKey(in record: DigestRecord) -> String {
    novelValueKey(in: record)
      ?? "\(record.model)|\(path.pattern)|\(kind.rawValue)|\(expectedType ?? "-")"
  }
}

extension DigestFilter {
  /// Whether the filter lets a digest's environment and operation through, by the plain way. Of
  /// patterns it knows those with one `*`, at an end.
  func isOfContext(_ record: DigestRecord) -> Bool {
    (environments.isEmpty || environments.contains(record.context.environment))
      && (operations.isEmpty
        || operations.contains { pattern in
          guard let star = pattern.firstIndex(of: "*") else {
            return pattern == record.context.operation
          }
          return record.context.operation.hasPrefix(pattern[..<star])
            && record.context.operation.hasSuffix(pattern[star...].dropFirst())
        })
  }
}
