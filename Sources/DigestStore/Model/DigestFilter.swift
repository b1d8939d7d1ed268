#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Which occurrences a report is about: those that meet every criterion that is given.
///
/// A criterion with several names is met by any of them; an empty one is no criterion.
public struct DigestFilter: Sendable {
  /// Models, where `*` stands for any text and `?` for any character; nothing else is special.
  ///
  /// Where there are such wildcards, text is looked at up to its first NUL. SQLite takes some 900
  /// names with wildcards, and some 30,000 names in all.
  public var models: [String] = []

  /// Patterns of coding paths, with the same wildcards: `items[].*`.
  public var codingPaths: [String] = []

  /// Kinds of failures, exactly: raw values of `ErrorDigest.Kind`.
  public var kinds: [String] = []

  /// Novel values, with the same wildcards; errors without one meet none.
  public var novelValues: [String] = []

  /// Releases, exactly.
  public var releases: [String] = []

  /// Whether digests without a release count: they alone, or those of ``releases`` too.
  public var hasNoRelease: Bool

  /// The first moment that counts.
  public var since: Date?

  /// The first moment that does not count any more.
  public var until: Date?

  /// Makes a filter with at most one name for each criterion; without parameters it lets everything
  /// through.
  ///
  /// For more names set the properties, such as ``models``.
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
    models = model.map { [$0] } ?? []
    codingPaths = codingPath.map { [$0] } ?? []
    kinds = kind.map { [$0] } ?? []
    novelValues = novelValue.map { [$0] } ?? []
    releases = release.map { [$0] } ?? []
    self.hasNoRelease = hasNoRelease
    self.since = since
    self.until = until
  }
}

extension DigestFilter {
  /// Whether it lets some failures of a model through and others not.
  package var choosesFailures: Bool {
    !codingPaths.isEmpty || !kinds.isEmpty || !novelValues.isEmpty
  }

  /// Whether it lets some releases through and others not.
  package var choosesReleases: Bool { hasNoRelease || !releases.isEmpty }

  /// Whether it lets through what is of any moment and of any release.
  var isOfAllTime: Bool { since == nil && until == nil && !choosesReleases }

  /// The conditions on `model AS m` and `failure AS f`.
  var failureCondition: String { "\(modelCondition) AND \(errorCondition)" }

  /// The condition on `model AS m`.
  var modelCondition: String { condition(.models) }

  /// The conditions on `failure AS f`.
  var errorCondition: String {
    [.codingPaths, .kinds, .novelValues].map(condition).joined(separator: " AND ")
  }

  /// The conditions on a table with a `release_id`.
  var releaseCondition: String {
    guard choosesReleases else { return "true" }
    // The one without a name has the number 0.
    let named = "release_id IN (SELECT id FROM release WHERE \(condition(.releases)))"
    let conditions = (releases.isEmpty ? [] : [named]) + (hasNoRelease ? ["release_id = 0"] : [])
    return "(\(conditions.joined(separator: " OR ")))"
  }

  /// What is bound for the conditions.
  var values: [String: SQLiteValue] {
    let values = Criterion.allCases.flatMap { criterion in
      zip(parameters(of: criterion), names(of: criterion)).map { parameter, name in
        (parameter, SQLiteValue.text(criterion.hasWildcards(name) ? name.globPattern : name))
      }
    }
    return Dictionary(values) { first, _ in first }
  }

  var window: TimeWindow {
    TimeWindow(since: since.map { Moment($0) }, until: until.map { Moment($0) })
  }
}

extension DigestFilter {
  /// What names are compared with.
  private enum Criterion: String, CaseIterable {
    case models = "m.name"
    case codingPaths = "f.coding_path"
    case kinds = "f.kind"
    case novelValues = "f.novel_value"
    case releases = "name"

    func hasWildcards(_ name: String) -> Bool {
      switch self {
      case .models, .codingPaths, .novelValues: name.hasWildcards
      case .kinds, .releases: false
      }
    }
  }

  private func names(of criterion: Criterion) -> [String] {
    switch criterion {
    case .models: models
    case .codingPaths: codingPaths
    case .kinds: kinds
    case .novelValues: novelValues
    case .releases: releases
    }
  }

  /// The parameters of the names, in their order.
  private func parameters(of criterion: Criterion) -> [String] {
    names(of: criterion).indices.map { ":\(criterion)\($0)" }
  }

  private func condition(_ criterion: Criterion) -> String {
    let column = criterion.rawValue
    var (whole, conditions): ([String], [String]) = ([], [])
    for (name, parameter) in zip(names(of: criterion), parameters(of: criterion)) {
      // A name without wildcards is compared as a whole: GLOB reads no further than to a NUL.
      if criterion.hasWildcards(name) {
        conditions.append("\(column) GLOB \(parameter)")
      } else {
        whole.append(parameter)
      }
    }
    if !whole.isEmpty { conditions.append("\(column) IN (\(whole.joined(separator: ", ")))") }
    return conditions.isEmpty ? "true" : "(\(conditions.joined(separator: " OR ")))"
  }
}

extension String {
  /// Whether `*` or `?` in it stand for other text.
  ///
  /// By scalars, as SQLite compares: with a combining mark behind it `*` is another `Character`.
  package var hasWildcards: Bool { unicodeScalars.contains { $0 == "*" || $0 == "?" } }

  /// The pattern for `GLOB`, in which brackets are special too (SQLite, "The GLOB operator").
  fileprivate var globPattern: String { replacingScalars("[", with: "[[]") }
}
