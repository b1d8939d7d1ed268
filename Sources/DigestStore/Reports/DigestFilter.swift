#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Which occurrences a report is about: those that meet all of what is not nil.
public struct DigestFilter: Sendable {
  /// A model, where `*` stands for any text and `?` for any character; nothing else is special.
  public var model: String?

  /// A coding path's pattern, with the same wildcards: `items[].*`.
  public var codingPath: String?

  /// A release, exactly.
  public var release: String?

  /// The first moment that counts.
  public var since: Date?

  /// The first moment that does not count any more.
  public var until: Date?

  /// Makes a filter; without parameters it lets everything through.
  public init(
    model: String? = nil,
    codingPath: String? = nil,
    release: String? = nil,
    since: Date? = nil,
    until: Date? = nil
  ) {
    self.model = model
    self.codingPath = codingPath
    self.release = release
    self.since = since
    self.until = until
  }
}

extension DigestFilter {
  /// The conditions on `model AS m` and `failure AS f`.
  var failureCondition: String { "\(modelCondition) AND \(codingPathCondition)" }

  /// The condition on `model AS m`.
  var modelCondition: String { model == nil ? "true" : "m.name GLOB :model" }

  /// The condition on `failure AS f`.
  var codingPathCondition: String {
    codingPath == nil ? "true" : "f.coding_path GLOB :codingPath"
  }

  /// The condition on a table with a `release_id`.
  var releaseCondition: String {
    release == nil ? "true" : "release_id = (SELECT id FROM release WHERE name = :release)"
  }

  /// What is bound for the conditions.
  var values: [String: SQLiteValue] {
    [
      ":model": SQLiteValue(model?.sqliteGlob),
      ":codingPath": SQLiteValue(codingPath?.sqliteGlob),
      ":release": SQLiteValue(release),
    ]
  }

  var window: TimeWindow {
    TimeWindow(since: since.map { Moment($0) }, until: until.map { Moment($0) })
  }
}

extension String {
  /// The pattern for `GLOB`, in which brackets are special too (SQLite, "The GLOB operator").
  fileprivate var sqliteGlob: String {
    replacingScalars("[", with: "[[]")
  }
}
