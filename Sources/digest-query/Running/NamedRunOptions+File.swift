import DigestFleet

extension NamedRunOptions {
  /// Opens the file with the positions.
  ///
  /// - Throws: an ``ExitFailure`` if it cannot be used, or if a store on a server has none.
  func file(of store: StoreOptions) throws -> CursorFile {
    guard state != nil || !FleetURL.isFleet(store.path) else {
      throw ExitFailure.usage(
        "\(store.name) is not a file; choose a file for the positions with --state FILE")
    }
    let path = state ?? "\(store.path).cursors"
    return try CursorFile(path) { Note.writeWaiting(for: path) }
  }
}
