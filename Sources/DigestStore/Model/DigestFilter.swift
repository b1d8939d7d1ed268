public import ResilientDecoding
public import ResilientPlatform

/// Selects the occurrences for a report: those that meet every criterion that is set.
///
/// A criterion with several names accepts any of them. An empty criterion accepts everything.
public struct DigestFilter: Sendable, Hashable, Codable {
  /// The names of models. `*` matches any text and `?` any character; nothing else is special.
  ///
  /// With wildcards, SQLite compares text only up to its first NUL. It accepts about 900 names with
  /// wildcards, and about 30,000 names in all.
  public var models: [String] = []

  /// The patterns of coding paths, with the same wildcards: `items[].*`.
  public var codingPaths: [String] = []

  /// The kinds of failures.
  public var kinds: [ErrorDigest.Kind] = []

  /// Novel values, with the same wildcards. Excludes errors without a novel value.
  public var novelValues: [String] = []

  /// The names of releases, without wildcards.
  public var releases: [String] = []

  /// Whether to select digests without a release: alone, or in addition to ``releases``.
  public var hasNoRelease: Bool

  /// The beginning of the window, which includes this moment.
  public var since: Date?

  /// The end of the window, which excludes this moment.
  public var until: Date?

  /// Makes a filter with at most one name for each criterion. Without parameters it selects
  /// everything.
  ///
  /// To set more names, use the properties, such as ``models``.
  public init(
    model: String? = nil,
    codingPath: String? = nil,
    kind: ErrorDigest.Kind? = nil,
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
  /// Decodes a filter. A criterion that is missing accepts everything.
  ///
  /// - Throws: `DecodingError` if a kind is unknown: without it the filter would accept more.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func names(_ key: CodingKeys) throws -> [String] {
      try container.decodeIfPresent([String].self, forKey: key) ?? []
    }
    self.init(
      hasNoRelease: try container.decodeIfPresent(Bool.self, forKey: .hasNoRelease) ?? false,
      since: try container.decodeIfPresent(Date.self, forKey: .since),
      until: try container.decodeIfPresent(Date.self, forKey: .until))
    models = try names(.models)
    codingPaths = try names(.codingPaths)
    kinds = try container.decodeIfPresent([ErrorDigest.Kind].self, forKey: .kinds) ?? []
    novelValues = try names(.novelValues)
    releases = try names(.releases)
  }
}

extension DigestFilter {
  /// Whether the filter can exclude some failures of a model.
  package var choosesFailures: Bool {
    !codingPaths.isEmpty || !kinds.isEmpty || !novelValues.isEmpty
  }

  /// Whether the filter can exclude some releases.
  package var choosesReleases: Bool { hasNoRelease || !releases.isEmpty }

  /// Whether the filter accepts all times and all releases.
  var isOfAllTime: Bool { since == nil && until == nil && !choosesReleases }

  /// The SQL conditions on `model AS m` and `failure AS f`.
  var failureCondition: String { "\(modelCondition) AND \(errorCondition)" }

  /// The SQL condition on `model AS m`.
  var modelCondition: String { condition(.models) }

  /// The SQL conditions on `failure AS f`.
  var errorCondition: String {
    [.codingPaths, .kinds, .novelValues].map(condition).joined(separator: " AND ")
  }

  /// The SQL condition on a table with a `release_id`.
  var releaseCondition: String {
    guard choosesReleases else { return "true" }
    // Release 0 has no name.
    let named = "release_id IN (SELECT id FROM release WHERE \(condition(.releases)))"
    let conditions = (releases.isEmpty ? [] : [named]) + (hasNoRelease ? ["release_id = 0"] : [])
    return "(\(conditions.joined(separator: " OR ")))"
  }

  /// The values to bind for the conditions, by parameter.
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
  /// The column that names are compared with.
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
    case .kinds: kinds.map(\.rawValue)
    case .novelValues: novelValues
    case .releases: releases
    }
  }

  /// The SQL parameters for the names, in the same order.
  private func parameters(of criterion: Criterion) -> [String] {
    names(of: criterion).indices.map { ":\(criterion)\($0)" }
  }

  private func condition(_ criterion: Criterion) -> String {
    let column = criterion.rawValue
    var (whole, conditions): ([String], [String]) = ([], [])
    for (name, parameter) in zip(names(of: criterion), parameters(of: criterion)) {
      // Compares names without wildcards as a whole, because GLOB stops at a NUL.
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
  /// Whether the text contains the wildcards `*` or `?`.
  ///
  /// Checks scalars, as SQLite does: `*` followed by a combining mark is another `Character`.
  package var hasWildcards: Bool { unicodeScalars.contains { $0 == "*" || $0 == "?" } }

  /// The pattern for `GLOB`, with brackets escaped (SQLite, "The GLOB operator").
  var globPattern: String { replacingScalars("[", with: "[[]") }
}
