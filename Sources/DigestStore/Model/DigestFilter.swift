public import ResilientDecoding
public import ResilientPlatform

/// Selects the occurrences for a report: those that meet every criterion that is set.
///
/// A criterion with several names accepts any of them. An empty criterion accepts everything.
public struct DigestFilter: Sendable, Hashable, Codable {
  /// The names of models. `*` matches any text and `?` any character; nothing else is special.
  ///
  /// With wildcards, SQLite compares text only up to its first NUL. It accepts about 30,000 names
  /// in all.
  public var models: [String] = []

  /// The patterns of coding paths, with the same wildcards: `items[].*`.
  public var codingPaths: [String] = []

  /// The kinds of failures.
  public var kinds: [ErrorDigest.Kind] = []

  /// Novel values, with the same wildcards. Excludes errors without a novel value: `*` selects all
  /// that have one.
  public var novelValues: [String] = []

  /// The names of releases, without wildcards.
  public var releases: [String] = []

  /// Whether to select digests without a release: alone, or in addition to ``releases``.
  public var hasNoRelease: Bool

  /// The names of environments, without wildcards: `production`. An empty name selects digests
  /// without one.
  public var environments: [String] = []

  /// The names of operations, with the wildcards of models: `GET *`. An empty name selects digests
  /// without one.
  public var operations: [String] = []

  /// The names or identities of stores that were pushed, without wildcards: `web-1`. An empty name
  /// selects stores without one.
  public var sources: [String] = []

  /// The ids of failures in the file; empty for all failures.
  var failures: [Int64] = []

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
    environment: String? = nil,
    operation: String? = nil,
    source: String? = nil,
    since: Date? = nil,
    until: Date? = nil
  ) {
    models = model.map { [$0] } ?? []
    codingPaths = codingPath.map { [$0] } ?? []
    kinds = kind.map { [$0] } ?? []
    novelValues = novelValue.map { [$0] } ?? []
    releases = release.map { [$0] } ?? []
    self.hasNoRelease = hasNoRelease
    environments = environment.map { [$0] } ?? []
    operations = operation.map { [$0] } ?? []
    sources = source.map { [$0] } ?? []
    self.since = since
    self.until = until
  }
}

extension DigestFilter {
  /// The criteria that mean the same in every store.
  private enum CodingKeys: CodingKey {
    case models, codingPaths, kinds, novelValues, releases, hasNoRelease, environments, operations
    case sources, since, until
  }

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
    environments = try names(.environments)
    operations = try names(.operations)
    sources = try names(.sources)
  }
}

extension DigestFilter {
  /// Whether the filter can exclude some failures of a model.
  package var choosesFailures: Bool {
    !codingPaths.isEmpty || !kinds.isEmpty || !novelValues.isEmpty || !failures.isEmpty
  }

  /// Whether the filter can exclude some releases.
  package var choosesReleases: Bool { hasNoRelease || !releases.isEmpty }

  /// Whether the filter can exclude some releases, environments, operations or sources.
  package var choosesContexts: Bool {
    choosesReleases || !environments.isEmpty || !operations.isEmpty || !sources.isEmpty
  }

  /// Whether the filter selects some errors, whatever the window.
  package var choosesErrors: Bool { choosesFailures || choosesContexts || !models.isEmpty }

  /// The filter for the same contexts, and for all models, failures and times.
  var ofContexts: Self {
    var filter = DigestFilter(hasNoRelease: hasNoRelease)
    filter.releases = releases
    (filter.environments, filter.operations, filter.sources) = (environments, operations, sources)
    return filter
  }

  /// The same filter for all releases.
  var ofAllReleases: Self {
    var filter = self
    (filter.releases, filter.hasNoRelease) = ([], false)
    return filter
  }

  /// The same filter for errors and notices.
  package var ofAllKinds: Self {
    var filter = self
    if kinds.isEmpty { filter.kinds = ErrorDigest.Kind.allCases }
    return filter
  }

  /// The same filter with another window.
  func limited(to window: TimeWindow) -> Self {
    var filter = self
    (filter.since, filter.until) = (window.since?.date, window.until?.date)
    return filter
  }

  func limited(to window: Range<Date>) -> Self {
    limited(to: TimeWindow(since: Moment(window.lowerBound), until: Moment(window.upperBound)))
  }

  var window: TimeWindow {
    TimeWindow(since: since.map { Moment($0) }, until: until.map { Moment($0) })
  }
}

/// The SQL of a filter, the only place that makes conditions from it.
///
/// Names are bound as parameters. A statement with two filters distinguishes their parameters by a
/// suffix, which is the last argument of each method.
extension DigestFilter {
  /// The condition on `model AS m`.
  func modelCondition(_ suffix: String = "") -> String { condition(.models, suffix) }

  /// The conditions on `model AS m` and `failure AS f`.
  func failureCondition(_ suffix: String = "") -> String {
    let ids = "f.id IN (SELECT value FROM json_each(:failures\(suffix)))"
    return Self.all(
      [.models, .codingPaths, .kinds, .novelValues].map { condition($0, suffix) }
        + [failures.isEmpty ? "true" : ids])
  }

  /// The conditions on `model AS m` and `failure AS f` of a report on errors: without kinds in the
  /// filter, occurrences that aren't errors are not counted.
  func errorCondition(_ suffix: String = "") -> String {
    Self.all([
      failureCondition(suffix), kinds.isEmpty ? ErrorKinds.condition("f.kind") : "true",
    ])
  }

  /// The condition on a column with the id of a failure: whether the filter accepts the failure.
  func choosesFailures(_ suffix: String) -> String {
    guard choosesFailures || !models.isEmpty else { return "true" }
    return """
      failure IN (
        SELECT f.id FROM failure AS f JOIN model AS m ON m.id = f.model
        WHERE \(failureCondition(suffix)))
      """
  }

  /// The condition on the context of counts, for counts that are added up: context 0 stands for
  /// all.
  func contexts(_ column: String, _ suffix: String = "") -> String {
    choosesContexts ? chosenContexts(column, suffix) : "\(column) = 0"
  }

  /// The condition on the context of counts, for each chosen context by itself.
  func eachContext(_ column: String, _ suffix: String = "") -> String {
    choosesContexts ? chosenContexts(column, suffix) : "\(column) IN (SELECT id FROM context)"
  }

  /// The condition on the context of digests.
  func contextsOfDigests(_ column: String, _ suffix: String = "") -> String {
    choosesContexts ? chosenContexts(column, suffix) : "true"
  }

  private func chosenContexts(_ column: String, _ suffix: String) -> String {
    // No release is the empty text in the file. So the empty name is that of no release.
    let named =
      releases.isEmpty ? [] : ["release <> '' AND \(condition(.releases, suffix))"]
    let ofReleases = named + (hasNoRelease ? ["release = ''"] : [])
    let conditions =
      (ofReleases.isEmpty ? [] : ["(\(ofReleases.joined(separator: " OR ")))"])
      + [condition(.environments, suffix), condition(.operations, suffix)]
      + (sources.isEmpty ? [] : [chosenSources(suffix)])
    return "\(column) IN (SELECT id FROM context WHERE \(Self.all(conditions)))"
  }

  /// The condition that a column `source` is of a store with one of the names or identities.
  private func chosenSources(_ suffix: String) -> String {
    let names = parameters(of: .sources, suffix).joined(separator: ", ")
    return """
      source IN (SELECT id FROM source WHERE name IN (\(names)) OR identity IN (\(names)))
      """
  }

  /// The condition that all of some conditions hold.
  static func all(_ conditions: [String]) -> String {
    let conditions = conditions.filter { $0 != "true" }
    return conditions.isEmpty ? "true" : conditions.joined(separator: " AND ")
  }

  /// The values to bind for the conditions, by parameter.
  func values(_ suffix: String = "") -> [String: SQLValue] {
    let values = Criterion.allCases.flatMap { criterion in
      zip(parameters(of: criterion, suffix), names(of: criterion)).map { parameter, name in
        (parameter, criterion.hasWildcards(name) ? SQLValue.pattern(name) : .text(name))
      }
    }
    let ids = failures.isEmpty ? [] : [(":failures\(suffix)", SQLValue.integers(failures))]
    return Dictionary(values + ids) { first, _ in first }
  }
}

extension DigestFilter {
  /// The clause that limits the rows of a statement, whose parameter is ``values(limit:)``.
  static func limit(_ count: Int?) -> String { count == nil ? "" : "LIMIT :limit" }

  /// The values to bind for the conditions and a limit, by parameter.
  ///
  /// The limit is bound, because SQLite prefers other indexes for a small number in the statement.
  func values(limit: Int?) -> [String: SQLValue] {
    values().merging([":limit": SQLValue(limit.map { Int64(max(0, $0)) })]) { first, _ in first }
  }

  /// The column that names are compared with.
  private enum Criterion: String, CaseIterable {
    case models = "m.name"
    case codingPaths = "f.coding_path"
    case kinds = "f.kind"
    case novelValues = "f.novel_value"
    case releases = "release"
    case environments = "environment"
    case operations = "operation"
    case sources = "source"

    func hasWildcards(_ name: String) -> Bool {
      switch self {
      case .models, .codingPaths, .novelValues, .operations: name.hasWildcards
      case .kinds, .releases, .environments, .sources: false
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
    case .environments: environments
    case .operations: operations
    case .sources: sources
    }
  }

  /// The SQL parameters for the names, in the same order.
  private func parameters(of criterion: Criterion, _ suffix: String) -> [String] {
    names(of: criterion).indices.map { ":\(criterion)\($0)\(suffix)" }
  }

  private func condition(_ criterion: Criterion, _ suffix: String) -> String {
    let column = criterion.rawValue
    var (whole, patterns): ([String], [String]) = ([], [])
    for (name, parameter) in zip(names(of: criterion), parameters(of: criterion, suffix)) {
      if name == "*", criterion.hasWildcards(name) {
        // It matches every text.
        patterns.append("\(column) IS NOT NULL")
      } else if criterion.hasWildcards(name) {
        patterns.append("\(column) GLOB \(parameter)")
      } else {
        // Compares names without wildcards as a whole, because GLOB stops at a NUL.
        whole.append(parameter)
      }
    }
    var conditions: [String] = []
    if !whole.isEmpty { conditions.append("\(column) IN (\(whole.joined(separator: ", ")))") }
    if !patterns.isEmpty { conditions.append(Self.any(of: patterns[...])) }
    return conditions.isEmpty ? "true" : "(\(conditions.joined(separator: " OR ")))"
  }

  /// The condition that one of others is true. In halves, because SQLite limits the depth of an
  /// expression (SQLite, "Limits In SQLite").
  private static func any(of conditions: ArraySlice<String>) -> String {
    guard conditions.count > 1 else { return conditions.joined() }
    let middle = (conditions.startIndex + conditions.endIndex) / 2
    return "(\(any(of: conditions[..<middle])) OR \(any(of: conditions[middle...])))"
  }
}

extension DigestFilter {
  /// Names to filter by. Empty, which selects everything, if one is nil or a pattern, or if there are
  /// more than 100.
  package static func names(_ names: [String?]) -> [String] {
    guard names.allSatisfy({ $0?.hasWildcards == false }) else { return [] }
    let unique = Set(names.compactMap { $0.map(BinaryString.init) })
    return unique.count > 100 ? [] : unique.map(\.text)
  }
}

extension String {
  /// Whether the text contains the wildcards `*` or `?`.
  ///
  /// Checks scalars, as SQLite does: `*` followed by a combining mark is another `Character`.
  package var hasWildcards: Bool { unicodeScalars.contains { $0 == "*" || $0 == "?" } }
}
