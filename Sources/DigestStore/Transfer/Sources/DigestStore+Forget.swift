extension DigestStore {
  /// Removes the digests and counts of a source that was merged or imported.
  ///
  /// Reports no longer count it. If it is merged again, it is a new source.
  ///
  /// - Parameter identity: the identity of the source.
  /// - Returns: the number of errors that were counted.
  /// - Throws: ``DigestStoreError`` with code `invalidInput` if there is no such source, or it is
  ///   the store itself.
  package func forget(source identity: String) throws -> Int {
    while try step({ try $0.foldSome() }) {}
    return try write { writer in
      try writer.connection.withIncomingTables {
        defer { writer.names.forget() }
        return try writer.transaction {
          while try writer.fold.foldBatch() > 0 {}
          return try writer.connection.forget(source: identity)
        }
      }
    }
  }
}

extension Engine {
  /// The id of a source that may be forgotten.
  package func forgettableSource(_ identity: String) throws -> Int64 {
    let id = try integer(
      "SELECT id FROM source WHERE identity = :identity", [":identity": .text(identity)])
    guard let id else {
      throw DigestStoreError(
        .invalidInput, "no source \(identity); digest-query fleet sources lists them")
    }
    guard id != 1 else {
      throw DigestStoreError(.invalidInput, "\(identity) is the store itself, which stays")
    }
    return id
  }

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

extension WritableEngine {
  /// Removes the digests and counts of a source, inside a transaction.
  package func forget(source identity: String) throws -> Int {
    let id = try forgettableSource(identity)
    let contexts = "SELECT id FROM context WHERE source = \(id)"
    let occurrences = try occurrences(ofContexts: contexts)
    try makeTable(
      "forgotten", as: "SELECT DISTINCT failure FROM total WHERE context IN (\(contexts))")
    for table in [PushedTable.total] + PushedTable.periods {
      try makeTable("new_\(table.name)", as: "SELECT * FROM \(table.name) WHERE false")
      try replace(
        table, from: "\(table.name) AS t WHERE t.context IN (\(contexts))",
        deleting: "context IN (\(contexts))")
    }
    // The first and the last time of those that are left.
    try execute(
      """
      UPDATE total SET first_seen = rest.first_seen, last_seen = rest.last_seen
      FROM (
        SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen FROM total
        WHERE context > 0 AND failure IN (SELECT failure FROM forgotten) GROUP BY 1
      ) AS rest
      WHERE total.context = 0 AND total.failure = rest.failure
      """)
    try execute("DELETE FROM digest WHERE source = \(id)")
    try execute("DELETE FROM context WHERE source = \(id)")
    try execute("DELETE FROM source WHERE id = \(id)")
    return occurrences
  }
}
