import DigestStore
import ResilientDecoding
import ResilientPlatform

/// Conditions of SQL on the table `counts`.
struct ClickHouseConditions: Sendable {
  let database: String

  /// The table that has the names of failures on each server. A failure's names are on the same servers as
  /// its counts, so no server has to ask another one.
  private let failures: String

  /// A condition that is true for the rows of the chosen stores.
  let isChosen: String

  /// The numbers of the releases in the report, by their ids.
  let releases: [UInt64: Int64]

  /// - Parameter sources: the ids of the chosen stores; nil for all.
  init(
    _ database: String, isOnCluster: Bool, sources: [UInt64]?, releases: [UInt64: Int64]
  ) {
    self.database = database
    failures = "\(database).failure\(isOnCluster ? "_local" : "")"
    isChosen = Self.isChosen(sources)
    self.releases = releases
  }

  static func isChosen(_ sources: [UInt64]?) -> String {
    sources.map { "source IN (\($0.map(String.init).joined(separator: ", ")))" } ?? "1"
  }

  /// The counts of the chosen stores, up to where other conditions can follow.
  var counts: String {
    "\(ClickHouseSchema.counts.latest(in: database)) AND \(isChosen)"
  }

  /// The same with rows that others have replaced, until the server merges them. As counts only grow, sums of
  /// these rows are upper bounds. Reading the latest rows alone takes many times as long.
  var countsWithReplaced: String { "\(database).counts WHERE \(isChosen)" }

  /// The latest counts of a few failures, found by grouping their rows.
  ///
  /// - Parameters:
  ///   - isFew: is true for the rows of few failures. It is tested before other columns are read.
  ///   - condition: is true for the counts to return.
  ///   - columns: columns to keep besides the periods and the ids.
  ///   - onlyOccurrences: whether to read nothing else of the counts.
  func fewCounts(
    _ isFew: String, where condition: String, with columns: [String], onlyOccurrences: Bool
  ) -> String {
    let key = (["span", "start", "id", "pair"] + columns).joined(separator: ", ")
    let others =
      onlyOccurrences
      ? ""
      : """
      , max(digests) AS digests_with_them, max(shared_digests) AS shared, min(first_seen) AS first,
          max(last_seen) AS last
      """
    return """
      (SELECT \(key), max(occurrences) AS errors\(others)
        FROM \(database).counts PREWHERE \(isFew) WHERE \(isChosen) AND \(condition) GROUP BY \(key))
      """
  }

  /// The counts of failures, or of their kinds, in a scope.
  func isCounted(_ counted: ClickHouseSchema.Counted, _ scope: CountScope) -> String {
    let isTotal = scope.releases == nil && scope.periods.allSatisfy { $0.span == 0 }
    return "(\(isOf(counted, isTotal: isTotal)) AND \(isCounted(scope)))"
  }

  /// The counts of failures, models or kinds that a query selects.
  func isCounted(_ counted: ClickHouseSchema.Counted, _ query: CountQuery) -> String {
    let isTotal = query.releases == nil && query.span == 0 && !query.isByRelease
    return """
      \(isOf(counted, isTotal: isTotal)) AND \(isIn(query.span, query.hours))
      AND \(isOf(query.releases))
      """
  }

  /// - Parameter isTotal: whether the totals of failures are enough, which are fewer.
  private func isOf(_ counted: ClickHouseSchema.Counted, isTotal: Bool) -> String {
    isOf(counted == .failures && isTotal ? .totals : counted)
  }

  func isOf(_ counted: ClickHouseSchema.Counted) -> String { "counted = \(counted.rawValue)" }

  /// The periods and releases of a scope.
  func isCounted(_ scope: CountScope) -> String {
    guard !scope.isEmpty else { return "0" }
    let periods = scope.periods.map { isIn($0.span, $0.hours) }
    return "((\(periods.joined(separator: " OR "))) AND \(isOf(scope.releases)))"
  }

  func isIn(_ span: Int64, _ hours: Range<Int64>) -> String {
    "(span = \(span) AND start >= \(hours.lowerBound) AND start < \(hours.upperBound))"
  }

  /// - Parameter numbers: the numbers of the releases; nil for all.
  func isOf(_ numbers: [Int64]?) -> String {
    guard let numbers = numbers.map({ Set($0) }) else { return "1" }
    func list(_ isChosen: Bool) -> [String] {
      (numbers.contains(0) == isChosen ? ["0"] : [])
        + releases.filter { numbers.contains($0.value) == isChosen }.keys.sorted().map(String.init)
    }
    let ids = list(true)
    if ids.isEmpty { return "0" }
    // The shorter list, because by default the server refuses statements of more than 256 KiB.
    let others = list(false)
    guard ids.count > 1_000, others.count < ids.count else {
      return "release IN (\(ids.joined(separator: ", ")))"
    }
    return others.isEmpty ? "1" : "release NOT IN (\(others.joined(separator: ", ")))"
  }

  /// The errors that a new failure does not have.
  func isKnown(_ known: FailureQuery.Known) -> String {
    let conditions =
      (known.before.map { ["first_seen < \($0)"] } ?? [])
      + (known.releases.isEmpty ? [] : [isOf(known.releases.sorted())])
    return conditions.isEmpty
      ? "0"
      : """
      (\(isOf(known.releases.isEmpty ? .totals : .failures)) AND span = 0
        AND (\(conditions.joined(separator: " OR "))))
      """
  }

  /// The models that a filter selects.
  func hasModel(_ filter: DigestFilter) -> String {
    guard !filter.models.isEmpty else { return "1" }
    return """
      model GLOBAL IN (SELECT id FROM \(database).model
        WHERE \(Self.isNamed(filter.models, "name")))
      """
  }

  /// The paths, kinds and novel values that a filter selects.
  func hasNames(_ filter: DigestFilter) -> String {
    let kinds = filter.kinds.map { String(NumberedIDs.IDs.id(ofKind: $0.rawValue)) }
    let names = [(filter.codingPaths, "coding_path"), (filter.novelValues, "novel_value")]
      .filter { !$0.0.isEmpty }.map { Self.isNamed($0.0, $0.1) }
    let conditions =
      (kinds.isEmpty ? [] : ["kind IN (\(kinds.joined(separator: ", ")))"])
      + (names.isEmpty
        ? [] : ["id IN (SELECT id FROM \(failures) WHERE \(names.joined(separator: " AND ")))"])
    return conditions.isEmpty ? "1" : "(\(conditions.joined(separator: " AND ")))"
  }

  /// Everything that a filter selects by name.
  func isMatching(_ filter: DigestFilter) -> String {
    "(\(hasModel(filter)) AND \(hasNames(filter)))"
  }

  /// A condition that is true for names that match, as in a ``DigestFilter``.
  static func isNamed(_ patterns: [String], _ column: String) -> String {
    let whole = patterns.filter { !$0.hasWildcards }.map(\.sqlLiteral)
    let conditions =
      (whole.isEmpty ? [] : ["\(column) IN (\(whole.joined(separator: ", ")))"])
      + patterns.filter(\.hasWildcards).map { "match(\(column), \($0.regularExpression))" }
    return "(\(conditions.joined(separator: " OR ")))"
  }
}

extension String {
  /// A pattern with the wildcards `*` and `?` as a literal for `match`, by scalars.
  var regularExpression: String {
    // RE2: (?s) lets a dot be a line break too.
    var pattern = "(?s)^"
    for scalar in unicodeScalars {
      switch scalar {
      case "*": pattern += ".*"
      case "?": pattern += "."
      case "a"..."z", "A"..."Z", "0"..."9": pattern.unicodeScalars.append(scalar)
      default: pattern += "\\x{\(String(scalar.value, radix: 16))}"
      }
    }
    return (pattern + "$").sqlLiteral
  }
}
