extension DigestStore {
  /// Runs `body` with the store at a path and then closes the store. If the path has no file,
  /// `body` gets a draft, which appears at the path once it is complete.
  ///
  /// A draft is deleted if `body` throws; only a process that dies leaves one behind. If another
  /// process makes a store in the meantime, `body` runs again with that store.
  ///
  /// - Parameter body: receives the store, and whether it is a draft.
  /// - Throws: ``DigestStoreError``, or the error of `body`.
  static func withStore<Result>(
    at path: String,
    _ configuration: Configuration,
    _ body: (DigestStore, _ isDraft: Bool) throws -> Result
  ) throws -> Result {
    if let draft = StagedStore(for: path) {
      do {
        let store = try DigestStore(path: draft.path, configuration: configuration)
        let result = try store.closed(after: { try body(store, true) })
        if try draft.publish() { return result }
      } catch let error as DigestStoreError {
        // Callers do not know the name of the draft.
        throw DigestStoreError(error.code, error.description.replacing(draft.path, with: path))
      }
    }
    let store = try DigestStore(path: path, configuration: configuration)
    return try store.closed(after: { try body(store, false) })
  }

  /// Closes the store after `body` returns or throws.
  private func closed<Result>(after body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try body()
    } catch {
      try? close()  // The first error says more.
      throw error
    }
    try close()
    return result
  }
}
