extension DigestStore {
  /// Removes the digests and counts of a source that was pushed, in short transactions
  /// between which others write.
  ///
  /// Reports no longer count it. If it is pushed again, all of it is added again. Its names keep their
  /// ids, which other processes may remember. If this is interrupted, repeat it.
  ///
  /// - Parameter name: the identity of the source, or its name if no other source has that.
  /// - Returns: the number of errors that were counted.
  /// - Throws: ``DigestStoreError``, with code `invalidInput` if there is no such source, or several, or it
  ///   is the store itself.
  package func forget(source name: String) throws -> Int {
    try foldAll()
    return try write { writer in
      try FileReceiver.with(writer) { try $0.forget(source: name) }
    }
  }

  /// Counts all digests, in transactions between which others write.
  func foldAll() throws {
    while try step({ try $0.foldSome() }) {}
  }
}

extension PushReceiver {
  /// Returns the id of a source that ``DigestReader/sources()`` lists: one that was pushed, also without
  /// digests, or after an interrupted `forget` one whose counts are partly left.
  ///
  /// - Parameter name: the identity of the source, or its name if no other source has that.
  package func forgettableSource(_ name: String) throws -> Int64 {
    func sources(_ column: String) throws -> [(id: Int64, isPushed: Bool)] {
      try engine.rows(
        "SELECT id, counted, pushed_at FROM source WHERE \(column) = :name", [":name": .text(name)]
      ) { (id: $0.integer(at: 0), isPushed: $0.integer(at: 1) > 0 || $0.integer(at: 2) > 0) }
    }
    let identified = try sources("identity")
    let found = try identified.isEmpty && !name.isEmpty ? sources("name") : identified
    guard found.count < 2 else {
      throw DigestStoreError(
        .invalidInput,
        "\(found.count) sources are named \(name): name one by its identity, as digest-query fleet sources "
          + "lists it")
    }
    let source = found.first
    guard source?.id != 1 else {
      throw DigestStoreError(.invalidInput, "\(name) is the store itself, which stays")
    }
    guard let source,
      try source.isPushed || engine.interruptedSources().contains(source.id)
        || isCounted(source.id)
    else {
      throw DigestStoreError(
        .invalidInput, "no source \(name); digest-query fleet sources lists them")
    }
    return source.id
  }

  private func isCounted(_ source: Int64) throws -> Bool {
    let contexts = "SELECT id FROM context WHERE source = \(source)"
    return try engine.integer(
      "SELECT 1 FROM decodes WHERE span = 24 AND context IN (\(contexts)) LIMIT 1") != nil
  }
}

extension Engine {
  /// The number of errors that contexts count.
  ///
  /// - Parameter contexts: a query or a list of ids.
  package func occurrences(ofContexts contexts: String) throws -> Int {
    let sum = try integer(
      """
      SELECT sum(t.occurrences) FROM total AS t JOIN failure AS f ON f.id = t.failure
      WHERE t.context IN (\(contexts)) AND \(ErrorKinds.condition("f.kind"))
      """)
    return Int(clamping: max(0, sum ?? 0))
  }
}

extension FileReceiver {
  /// The most digests that a transaction deletes.
  private static let maximumDigests = 500

  /// Removes the digests and counts of a source.
  func forget(source name: String) throws -> Int {
    let id = try forgettableSource(name)
    let contexts = "SELECT id FROM context WHERE source = \(id)"
    let occurrences = try engine.occurrences(ofContexts: contexts)
    try step {
      try execute(
        """
        UPDATE source SET name = '', counted = 0, counted_at = 0, pushed_at = 0
        WHERE id = \(id)
        """)
      try mark([id])
    }
    // Totals last: without them, a push would take those of a context for deleted ones.
    for table in CountTable.periods + [.total] {
      try makeTable("new_\(table.name)", table.columns) { _ in }
      try replaceRows(of: table, old: "\(table.name) AS t WHERE t.context IN (\(contexts))")
    }
    while try step({
      try execute(
        """
        DELETE FROM digest WHERE id IN (
          SELECT id FROM digest WHERE source = \(id) LIMIT \(Self.maximumDigests))
        """)
    }) > 0 {}
    _ = try step { try execute("UPDATE source SET pushing = 0 WHERE id = \(id)") }
    return occurrences
  }
}
