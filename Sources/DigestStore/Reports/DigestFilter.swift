#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Which occurrences a report is about: those that meet all of what is not nil.
public struct DigestFilter: Sendable {
  /// A model, where `*` stands for any text and `?` for any character; nothing else is special.
  ///
  /// Where there are such wildcards, text is looked at up to its first NUL.
  public var model: String?

  /// A coding path's pattern, with the same wildcards: `items[].*`.
  public var codingPath: String?

  /// A kind of failure, exactly: the raw value of an `ErrorDigest.Kind`.
  public var kind: String?

  /// A novel value, with the same wildcards; errors without one do not meet it.
  public var novelValue: String?

  /// A release, exactly.
  public var release: String?

  /// Whether only digests without a release count; together with ``release`` nothing does.
  public var hasNoRelease: Bool

  /// The first moment that counts.
  public var since: Date?

  /// The first moment that does not count any more.
  public var until: Date?

  /// Makes a filter; without parameters it lets everything through.
  public init(
    model: String? = nil,
    codingPath: String? = nil,
    kind: String? = nil,
    novelValue: String? = nil,
    release: String? = nil,
    hasNoRelease: Bool = false,
    since: Date? = nil,
    until: Date? = nil
  ) {
    self.model = model
    self.codingPath = codingPath
    self.kind = kind
    self.novelValue = novelValue
    self.release = release
    self.hasNoRelease = hasNoRelease
    self.since = since
    self.until = until
  }
}

extension DigestFilter {
  /// Whether it lets some failures of a model through and others not.
  var choosesFailures: Bool { codingPath != nil || kind != nil || novelValue != nil }

  /// Whether it lets through what is of any moment and of any release.
  var isOfAllTime: Bool { since == nil && until == nil && release == nil && !hasNoRelease }

  /// The conditions on `model AS m` and `failure AS f`.
  var failureCondition: String { "\(modelCondition) AND \(errorCondition)" }

  /// The condition on `model AS m`.
  var modelCondition: String { Self.condition("m.name", model, ":model") }

  /// The conditions on `failure AS f`.
  var errorCondition: String {
    let kindCondition = kind == nil ? "true" : "f.kind = :kind"
    return [
      Self.condition("f.coding_path", codingPath, ":codingPath"), kindCondition,
      Self.condition("f.novel_value", novelValue, ":novelValue"),
    ].joined(separator: " AND ")
  }

  /// The conditions on a table with a `release_id`.
  var releaseCondition: String {
    let named =
      release == nil ? "true" : "release_id = (SELECT id FROM release WHERE name = :release)"
    return hasNoRelease ? "\(named) AND release_id = 0" : named
  }

  /// What is bound for the conditions.
  var values: [String: SQLiteValue] {
    [
      ":model": SQLiteValue(model?.sqlitePattern),
      ":codingPath": SQLiteValue(codingPath?.sqlitePattern),
      ":kind": SQLiteValue(kind),
      ":novelValue": SQLiteValue(novelValue?.sqlitePattern),
      ":release": SQLiteValue(release),
    ]
  }

  private static func condition(_ column: String, _ pattern: String?, _ name: String) -> String {
    // What has no wildcards is compared as a whole: GLOB reads no further than to a NUL.
    pattern.map { "\(column) \($0.hasWildcards ? "GLOB" : "=") \(name)" } ?? "true"
  }

  var window: TimeWindow {
    TimeWindow(since: since.map { Moment($0) }, until: until.map { Moment($0) })
  }
}

extension String {
  fileprivate var hasWildcards: Bool { unicodeScalars.contains { $0 == "*" || $0 == "?" } }

  /// The pattern for `GLOB`, in which brackets are special too (SQLite, "The GLOB operator"), or
  /// the text itself.
  fileprivate var sqlitePattern: String {
    hasWildcards ? replacingScalars("[", with: "[[]") : self
  }
}
