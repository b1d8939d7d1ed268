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
    /// Deployments of the backend, such as `production`.
    case environment
    /// Requests whose answers were decoded, such as `GET /listings`.
    case operation
    /// Stores that were pushed, by their names; this store, and others without a name, by their
    /// identities.
    case source
  }
}

extension DigestReader {
  /// Returns all names of a category that the store has ever stored, each once.
  ///
  /// Releases are sorted by age, see ``newFailures(matching:limit:)``; other names by their
  /// bytes.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func names(of category: DigestReader.NameCategory) throws -> [String] {
    return try read { connection in
      guard category == .release else {
        return try connection.rows(
          "SELECT DISTINCT \(category.column) FROM \(category.table) WHERE \(category.isName) ORDER BY 1"
        ) { $0.text(at: 0) ?? "" }
      }
      let releases = try connection.rows(
        "SELECT min(id), release FROM context WHERE release <> '' GROUP BY release ORDER BY 1"
      ) { (id: $0.integer(at: 0), name: $0.text(at: 1) ?? "") }
      return releases.map { ($0.name, ReleaseOrder($0.name, id: $0.id)) }
        .sorted { $0.1.isOlder(than: $1.1) }
        .map(\.0)
    }
  }

  /// Returns the releases of the store that are not older than another one, which the store need
  /// not have. Names that aren't versions sort in the order in which they were first stored.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func releases(atLeast release: String) throws -> Set<String> {
    let names = try names(of: .release)
    let ids = Dictionary(
      names.enumerated().map { (BinaryString($1), Int64($0)) },
      uniquingKeysWith: { first, _ in first })
    func order(_ name: String) -> ReleaseOrder {
      ReleaseOrder(name, id: ids[BinaryString(name)])
    }
    // Of equal versions, those that arrived earlier are not older than a decision's.
    let oldest =
      ReleaseOrder.isVersion(release) ? ReleaseOrder(release, id: nil) : order(release)
    return Set(names.filter { !order($0).isOlder(than: oldest) })
  }

  /// Returns whether the store has ever stored a name.
  ///
  /// - Parameters:
  ///   - name: the whole name, without wildcards.
  ///   - category: the category of the name.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func hasName(_ name: String, of category: DigestReader.NameCategory) throws -> Bool {
    // Digests without a release have an empty one in the file.
    try !(category.table == "context" && name.isEmpty)
      && hasName(.text(name), of: category, comparedBy: "=")
  }

  /// Returns the patterns, with the wildcards of a filter, that match no name that the store has
  /// ever stored: the first ten of them, because each one scans all names.
  package func patternsWithoutName(
    _ patterns: [String], of category: DigestReader.NameCategory
  ) throws -> [String] {
    var unmatched: [String] = []
    for pattern in patterns where unmatched.count < 10 {
      if try !hasName(.pattern(pattern), of: category, comparedBy: "GLOB") {
        unmatched.append(pattern)
      }
    }
    return unmatched
  }

  private func hasName(
    _ name: SQLValue, of category: DigestReader.NameCategory, comparedBy comparison: String
  ) throws -> Bool {
    try read { connection in
      try connection.firstRow(
        """
        SELECT 1 FROM \(category.table)
        WHERE \(category == .source ? "identity = :name OR" : "") \(category.column) \(comparison) :name
        LIMIT 1
        """, [":name": name]
      ) { _ in true } ?? false
    }
  }
}

extension DigestReader.NameCategory {
  fileprivate var table: String {
    switch self {
    case .model: "model"
    case .release, .environment, .operation: "context"
    case .codingPath, .kind, .novelValue: "failure"
    case .source: "source"
    }
  }

  fileprivate var column: String {
    switch self {
    case .model: "name"
    case .release, .environment, .operation: rawValue
    case .codingPath: "coding_path"
    case .kind: "kind"
    case .novelValue: "novel_value"
    case .source: "CASE WHEN name <> '' THEN name ELSE identity END"
    }
  }

  /// The condition that a row has a name.
  fileprivate var isName: String {
    table == "context" ? "\(column) <> ''" : "\(column) IS NOT NULL"
  }
}
