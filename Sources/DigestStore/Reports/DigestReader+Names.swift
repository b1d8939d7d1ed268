import ResilientDecoding

extension DigestReader {
  /// The categories of names in a store.
  public enum NameCategory: String, Sendable, Hashable, CaseIterable {
    /// Models, as in `App.Listing`.
    case model
    /// Patterns of coding paths.
    case codingPath
    /// Raw values of `ErrorDigest.Kind`.
    case kind
    /// Novel values, as text.
    case novelValue
    /// Versions of the app that decoded.
    case release
  }
}

extension DigestReader {
  /// Returns all names of a category that the store has ever stored, each once; of a fleet, at most
  /// 10,000 coding paths or novel values.
  ///
  /// Releases are sorted by age, see ``newNovelValues(matching:limit:)``; other names by their
  /// bytes.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func names(of category: DigestReader.NameCategory) throws -> [String] {
    if let server, let name = category.failureName {
      return try reading { try server.names(of: name, limit: Self.mostNames) }
        .sorted { $0.byteOrder(to: $1) < 0 }
    }
    return try read { connection in
      guard category == .release else {
        return try connection.rows(
          "SELECT DISTINCT \(category.column) AS name FROM \(category.table) WHERE name IS NOT NULL "
            + "ORDER BY name"
        ) { $0.text(at: 0) ?? "" }
      }
      let releases = try connection.rows(
        "SELECT id, name FROM release WHERE name IS NOT NULL ORDER BY id"
      ) { (id: $0.integer(at: 0), name: $0.text(at: 1) ?? "") }
      return releases.map { ($0.name, ReleaseOrder($0.name, id: $0.id)) }
        .sorted { $0.1.isOlder(than: $1.1) }
        .map(\.0)
    }
  }

  /// Returns whether the store has ever stored a name.
  ///
  /// - Parameters:
  ///   - name: the whole name, without wildcards.
  ///   - category: the category of the name.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func hasName(_ name: String, of category: DigestReader.NameCategory) throws -> Bool {
    try hasName(name, of: category, comparedBy: "=")
  }

  /// Returns the patterns, with the wildcards of a filter, that match no name that the store has
  /// ever stored: the first ten of them, because each one scans all names.
  package func patternsWithoutName(
    _ patterns: [String], of category: DigestReader.NameCategory
  ) throws -> [String] {
    var unmatched: [String] = []
    for pattern in patterns where unmatched.count < 10 {
      if try !hasName(pattern, of: category, comparedBy: "GLOB") { unmatched.append(pattern) }
    }
    return unmatched
  }

  private func hasName(
    _ name: String, of category: DigestReader.NameCategory, comparedBy comparison: String
  ) throws -> Bool {
    if let server, let failureName = category.failureName {
      let filter =
        switch failureName {
        case .codingPath: DigestFilter(codingPath: name)
        case .kind: DigestFilter(kind: ErrorDigest.Kind(stored: name))
        case .novelValue: DigestFilter(novelValue: name)
        }
      return try reading { try server.hasFailures(matchingAny: [filter]) }
    }
    return try read { connection in
      let statement = try Statement(
        connection,
        "SELECT 1 FROM \(category.table) WHERE \(category.column) \(comparison) ? LIMIT 1")
      let value = comparison == "GLOB" ? name.globPattern : name
      return try statement.firstRow([.text(value)]) { _ in true } ?? false
    }
  }

  /// The most names to read from a server, whose number has no limit.
  private static let mostNames = 10_000
}

extension DigestReader.NameCategory {
  /// The names of failures; nil for other names.
  fileprivate var failureName: FailureName? {
    switch self {
    case .codingPath: .codingPath
    case .kind: .kind
    case .novelValue: .novelValue
    case .model, .release: nil
    }
  }

  fileprivate var table: String {
    switch self {
    case .model: "model"
    case .release: "release"
    case .codingPath, .kind, .novelValue: "failure"
    }
  }

  fileprivate var column: String {
    switch self {
    case .model, .release: "name"
    case .codingPath: "coding_path"
    case .kind: "kind"
    case .novelValue: "novel_value"
    }
  }
}
