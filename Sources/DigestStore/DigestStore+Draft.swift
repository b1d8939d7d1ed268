extension DigestStore {
  /// Runs `body` with the store at a path, and closes it; where there is none, with a new one that
  /// appears there once it is complete.
  ///
  /// So nothing is left behind when `body` throws or the process dies, but for a draft in the second
  /// case. When another process makes a store meanwhile, `body` runs again, with that one.
  ///
  /// - Parameter body: is told whether the store is a draft, of which nothing stays if it throws.
  /// - Throws: ``DigestStoreError``; what `body` throws.
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
        // Nobody knows the draft by its name.
        throw DigestStoreError(error.code, error.description.replacing(draft.path, with: path))
      }
    }
    let store = try DigestStore(path: path, configuration: configuration)
    return try store.closed(after: { try body(store, false) })
  }

  /// Closes the store when `body` has returned or thrown.
  private func closed<Result>(after body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try body()
    } catch {
      try? close()  // The first error tells more.
      throw error
    }
    try close()
    return result
  }
}
