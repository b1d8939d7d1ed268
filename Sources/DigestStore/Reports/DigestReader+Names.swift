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
  /// Returns all names of a category that the store has ever stored, each once.
  ///
  /// Releases are sorted by age, see ``newNovelValues(matching:limit:)``; other names by their
  /// bytes.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func names(of category: DigestReader.NameCategory) throws -> [String] {
    try read { connection in
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
    try read { connection in
      let statement = try Statement(
        connection, "SELECT 1 FROM \(category.table) WHERE \(category.column) = ? LIMIT 1")
      return try statement.firstRow([.text(name)]) { _ in true } ?? false
    }
  }

  /// Returns the patterns, with the wildcards of a filter, that match no name that the store has
  /// ever stored: the first ten of them, because each one scans all names.
  package func patternsWithoutName(
    _ patterns: [String], of category: DigestReader.NameCategory
  ) throws -> [String] {
    try read { connection in
      let statement = try Statement(
        connection, "SELECT 1 FROM \(category.table) WHERE \(category.column) GLOB ? LIMIT 1")
      var unmatched: [String] = []
      for pattern in patterns where unmatched.count < 10 {
        let isKnown = try statement.firstRow([.text(pattern.globPattern)]) { _ in true } ?? false
        if !isKnown { unmatched.append(pattern) }
      }
      return unmatched
    }
  }
}

extension DigestReader.NameCategory {
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
