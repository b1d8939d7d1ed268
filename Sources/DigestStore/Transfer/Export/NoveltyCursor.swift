extension DigestStore {
  /// A bookmark of the novel values that a check has reported.
  package struct NoveltyCursor: Codable, Sendable, Hashable {
    /// The identity of the store.
    let store: String

    /// The id of the last failure.
    let failure: Int64
  }
}

extension DigestReader {
  /// Counts the novel values that are new, and were first stored after an earlier check.
  ///
  /// - Parameter cursor: the end of that check; nil for all.
  /// - Returns: the values, where the check begins, and the cursor for the next one.
  package func newNovelValues(
    matching filter: DigestFilter, after cursor: DigestStore.NoveltyCursor?
  ) throws -> (
    values: [DigestStore.NovelValueCount], beginning: DigestStore.IncrementalExport.Beginning,
    end: DigestStore.NoveltyCursor
  ) {
    try snapshot { connection in
      // Failures are never deleted, and the id of a later one is higher.
      let end = DigestStore.NoveltyCursor(
        store: try connection.text("SELECT identity FROM store") ?? "",
        failure: try connection.integer("SELECT max(id) FROM failure") ?? 0)
      let beginning: DigestStore.IncrementalExport.Beginning =
        switch cursor {
        case nil: .first
        case let cursor? where cursor.store != end.store: .firstOfAnotherStore
        case let cursor? where cursor.failure > end.failure: .firstOfRestoredStore
        case _?: .behindCursor
        }
      let rows = try FailureRows(connection, filter, isOfNovelValues: true, newTo: filter)
        .read(older: connection.contexts(olderThan: filter))
      let last = beginning == .behindCursor ? cursor?.failure ?? 0 : 0
      return (
        rows.filter { $0.id > last }.map(DigestStore.NovelValueCount.init), beginning, end
      )
    }
  }
}
