import Foundation
import ResilientDecoding
import Testing

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
  /// The counts by key, as a recount has them.
  var recounts: [String: Recount] {
    Dictionary(uniqueKeysWithValues: map { ($0.key, $0.recount) })
  }

  /// The releases of the first errors by key, as a recount has them.
  var firstReleases: [String: String] {
    Dictionary(map { ($0.key, $0.firstRelease ?? "-") }) { first, _ in first }
  }
}

extension DigestStore.FailureCount {
  var key: String {
    novelValue.map { "\(model)|\(codingPath)|\($0)|\(valueType ?? "-")" }
      ?? "\(model)|\(codingPath)|\(kind)|\(expectedType ?? "-")"
  }

  var recount: Recount {
    Recount(
      occurrences: occurrences, digests: digests, first: Moment(firstSeen), last: Moment(lastSeen))
  }
}

extension DigestStore.FailureChange {
  var key: String {
    novelValue.map { "\(model)|\(codingPath)|\($0)|\(valueType ?? "-")" }
      ?? "\(model)|\(codingPath)|\(kind)|\(expectedType ?? "-")"
  }
}

extension RecordedError {
  /// A novel value is one failure, whatever its kind and expected type.
  func failureKey(in record: DigestRecord) -> String {
    novelValue.map { "\(record.model)|\(path.pattern)|\($0)|\(valueType ?? "-")" }
      ?? "\(record.model)|\(path.pattern)|\(kind.rawValue)|\(expectedType ?? "-")"
  }
}

extension DigestReader {
  /// Expects the counts, times and first releases of failures that a recount has.
  func expectRecount(of records: [DigestRecord], _ filter: DigestFilter) throws {
    func key(_ record: DigestRecord, _ error: RecordedError) -> String? {
      filter.matches(record, error) ? error.failureKey(in: record) : nil
    }
    let seen = records.filter(filter.hasContext)
    let expected = Recount.of(records.filter { filter.matches($0) }, seenIn: seen, by: key)
    let failures = try failures(matching: filter)
    #expect(failures.recounts == expected, "\(filter)")
    let releases = Recount.firstReleases(seen, by: key).filter { expected[$0.key] != nil }
    #expect(failures.firstReleases == releases, "\(filter)")
  }
}

/// What a filter lets through, by the plain way.
extension DigestFilter {
  /// Whether the filter lets a digest's model, context and time through.
  func matches(_ record: DigestRecord) -> Bool {
    Self.matches(models, record.model) && hasContext(of: record)
      && (since.map { $0 <= record.recordedAt.date } ?? true)
      && (until.map { $0 > record.recordedAt.date } ?? true)
  }

  /// Whether the filter lets a digest's release, environment and operation through.
  func hasContext(of record: DigestRecord) -> Bool {
    (!choosesReleases || (record.release.map(releases.contains) ?? hasNoRelease))
      && hasEnvironment(of: record)
  }

  /// Whether the filter lets a digest's environment and operation through.
  func hasEnvironment(of record: DigestRecord) -> Bool {
    (environments.isEmpty || environments.contains(record.context.environment))
      && Self.matches(operations, record.context.operation)
  }

  /// Whether the filter lets an error of a digest through, in any context and at any time.
  func matches(_ record: DigestRecord, _ error: RecordedError) -> Bool {
    Self.matches(models, record.model) && Self.matches(codingPaths, error.path.pattern)
      && (kinds.isEmpty || kinds.contains(error.kind))
      && Self.matches(novelValues, error.novelValue)
  }

  private static func matches(_ globs: [String], _ text: String?) -> Bool {
    globs.isEmpty || text.map { text in globs.contains { matches($0[...], text[...]) } } == true
  }

  private static func matches(_ glob: Substring, _ text: Substring) -> Bool {
    guard let first = glob.first else { return text.isEmpty }
    if first == "*", matches(glob.dropFirst(), text) { return true }
    guard let character = text.first else { return false }
    return first == "*"
      ? matches(glob, text.dropFirst())
      : (first == "?" || first == character) && matches(glob.dropFirst(), text.dropFirst())
  }
}
