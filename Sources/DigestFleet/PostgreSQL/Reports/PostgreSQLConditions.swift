import DigestStore
import ResilientDecoding

/// Conditions of SQL on `digests.failure AS f` and `digests.model AS m`, and the parameters of their
/// statement.
struct PostgreSQLConditions {
  private(set) var values: [PostgreSQLValue] = []

  /// Adds a parameter.
  mutating func add(_ value: PostgreSQLValue) -> String {
    values.append(value)
    return "$\(values.count)"
  }

  /// The failures that a filter selects by name.
  mutating func isMatching(_ filter: DigestFilter) -> String {
    "(\(hasPlace(filter)) AND \(hasKind(filter)))"
  }

  /// The models, paths and novel values that a filter selects.
  mutating func hasPlace(_ filter: DigestFilter) -> String {
    let columns = [
      (filter.models, "m.name"), (filter.codingPaths, "f.coding_path"),
      (filter.novelValues, "f.novel_value"),
    ]
    let conditions = columns.filter { !$0.0.isEmpty }.map { isNamed($0, $1) }
    return conditions.isEmpty ? "true" : "(\(conditions.joined(separator: " AND ")))"
  }

  /// The kinds that a filter selects.
  mutating func hasKind(_ filter: DigestFilter) -> String {
    guard !filter.kinds.isEmpty else { return "true" }
    return
      "f.kind = ANY (\(add(.texts(filter.kinds.map { FleetText.encode($0.rawValue) })))::text[])"
  }

  private mutating func isNamed(_ patterns: [String], _ column: String) -> String {
    let whole = patterns.filter { !$0.hasWildcards }.map(FleetText.encode)
    let others = patterns.filter(\.hasWildcards).map(\.likePattern)
    var conditions: [String] = []
    if !whole.isEmpty { conditions.append("\(column) = ANY (\(add(.texts(whole)))::text[])") }
    if !others.isEmpty {
      conditions.append("\(column) LIKE ANY (\(add(.texts(others)))::text[])")
    }
    return "(\(conditions.joined(separator: " OR ")))"
  }

  /// The failures that some stores count.
  ///
  /// - Parameter sources: the ids of the stores; nil for all.
  mutating func isCounted(by sources: [Int64]?) -> String {
    guard let sources else {
      return "EXISTS (SELECT 1 FROM digests.failure_tally AS t WHERE t.failure_id = f.id)"
    }
    return """
      f.id IN (SELECT unnest(n.ids) FROM digests.source_numbers AS n
        WHERE n.counted = 0 AND n.source_id = ANY (\(add(.integers(sources)))::bigint[]))
      """
  }
}

extension String {
  /// A pattern with the wildcards `*` and `?` as one of LIKE, by scalars, as the server compares.
  var likePattern: String {
    var pattern = UnicodeScalarView()
    for scalar in FleetText.encode(self).unicodeScalars {
      switch scalar {
      case "*": pattern.append("%")
      case "?": pattern.append("_")
      case "%", "_", "\\": pattern += ["\\", scalar]
      default: pattern.append(scalar)
      }
    }
    return String(pattern)
  }
}
