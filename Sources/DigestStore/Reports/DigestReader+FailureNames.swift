import ResilientDecoding

extension DigestStore.FailureCount {
  /// Names the failure in every store: a letter and seven hexadecimal digits of the hash of its
  /// identity.
  ///
  /// Two failures can have the same one by chance.
  public var id: String { failureKey.short }

  /// The identity of the failure in every store.
  package var failureKey: FailureKey {
    FailureKey(
      model: model, pattern: codingPath, kind: kind, expectedType: expectedType,
      novelValue: novelValue, valueType: valueType, foundType: foundType)
  }
}

extension DigestStore.FailureCount {
  /// The words for the path of a whole document.
  package static var document: String { "(document)" }
}

extension DigestStore.FailureChange {
  /// Names the failure in every store, as ``DigestStore/FailureCount/id``.
  public var id: String { failureKey.short }

  /// The identity of the failure in every store.
  package var failureKey: FailureKey {
    FailureKey(
      model: model, pattern: codingPath, kind: kind, expectedType: expectedType,
      novelValue: novelValue, valueType: valueType, foundType: foundType)
  }
}

extension DigestReader {
  /// Narrows a filter to the failures that a person names: by ``DigestStore/FailureCount/id``; else by
  /// the novel value or the coding path, with wildcards; else by the last key of the path; else by a
  /// found value, or by what a body is instead of JSON.
  ///
  /// - Returns: nil if the store has no such failure.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func filter(
    _ filter: DigestFilter, ofFailuresNamed name: String
  ) throws -> DigestFilter? {
    let ids = try snapshot { try $0.failures(named: name) }
    guard !ids.isEmpty else { return nil }
    var filter = filter
    filter.failures = ids
    return filter
  }
}

extension DigestReader {
  /// Narrows a filter to some failures of the store, at least one.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func filter(
    _ filter: DigestFilter, of failures: [DigestStore.FailureCount]
  ) throws -> DigestFilter {
    let keys = Set(failures.map(\.failureKey))
    var filter = filter
    let ids = try snapshot { try $0.failureKeys() }.filter { keys.contains($0.key) }.map(\.id)
    // None would mean all.
    filter.failures = ids.isEmpty ? [0] : ids
    return filter
  }
}

extension DigestReader {
  /// The message of the sample of a filter's only failure: that of its decoder or, of a novel value whose
  /// type is `CaseIterable`, the values that the app knows, as in `expected one of free, pro`.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func message(matching filter: DigestFilter) throws -> String? {
    try snapshot { try $0.messages(ofFailures: filter.failures).values.first }
  }
}

extension Engine {
  /// The messages of the samples of failures, by the ids of the failures.
  func messages(ofFailures ids: [Int64]) throws -> [Int64: String] {
    let rows = try rows(
      "SELECT f.id, f.message FROM failure AS f WHERE f.id IN (SELECT value FROM json_each(:failures))",
      [":failures": .integers(ids)]
    ) { ($0.integer(at: 0), $0.text(at: 1)) }
    return Dictionary(rows.compactMap { id, text in text.map { (id, $0) } }) { first, _ in first }
  }

  private static var failures: String {
    "FROM failure AS f CROSS JOIN model AS m ON m.id = f.model"
  }

  /// The identities of all failures, with their ids in the file.
  fileprivate func failureKeys() throws -> [(key: FailureKey, id: Int64)] {
    try rows("SELECT \(StoredFailure.columns), m.name, f.id \(Self.failures)") { row in
      let failure = StoredFailure(row)
      let model = row.text(at: StoredFailure.columnCount) ?? ""
      return (failure.key(ofModel: model), row.integer(at: StoredFailure.columnCount + 1))
    }
  }

  fileprivate func failures(named name: String) throws -> [Int64] {
    if name.utf8.count == FailureKey.shortCount {
      let found = try failureKeys().filter { $0.key.short == name }.map(\.id)
      if !found.isEmpty { return found }
    }
    var names = DigestFilter(novelValue: name)
    func ids(_ condition: String) throws -> [Int64] {
      try rows("SELECT f.id \(Self.failures) WHERE \(condition)", names.values()) {
        $0.integer(at: 0)
      }
    }
    let values = try ids(names.failureCondition())
    names = DigestFilter(codingPath: name == DigestStore.FailureCount.document ? "" : name)
    var found = try values + ids(names.failureCondition())
    guard found.isEmpty else { return found }
    // The last key of a path, also of elements and of their elements.
    names.codingPaths =
      ["", "[]", "[][]"].flatMap { ["\(name)\($0)", "*.\(name)\($0)"] } + [
        "*[\"\(name)\"]"
      ]
    found = try ids(names.failureCondition())
    guard found.isEmpty else { return found }
    // The names of types of bodies aren't text from outside.
    let bodies = "f.coding_path = '' AND \(StoredFailure.isOfBody("f.found_type"))"
    return try rows(
      """
      SELECT f.id \(Self.failures) WHERE f.found_value = :name OR f.found_type = :name AND \(bodies)
      """, [":name": .text(name)]
    ) { $0.integer(at: 0) }
  }
}
