/// The store that an import or a merge writes.
extension DigestStore {
  /// Runs `body` with the store at a path, and then closes the store.
  static func withStore<Result>(
    at path: String, _ configuration: Configuration, _ body: (DigestStore) throws -> Result
  ) throws -> Result {
    let store = try DigestStore(path: path, configuration: configuration)
    let result: Result
    do {
      result = try body(store)
    } catch {
      try? store.close()  // The first error says more.
      throw error
    }
    try store.close()
    return result
  }
}

extension Writer {
  /// The identity of the file that is at the path now.
  func identityOfFile() throws -> String {
    try connection.text("SELECT identity FROM store") ?? ""
  }

  /// Checks that the file is the one that was opened first. A damaged or moved file is replaced by a
  /// new one, which lacks what was added before.
  func checkIdentity(_ identity: String) throws {
    guard try identityOfFile() != identity else { return }
    throw DigestStoreError(
      .damaged,
      "\(connection.path): the file was damaged or moved away meanwhile, and what was added to it is "
        + "not in the new one; repeat the command")
  }
}
