/// A store whose counts and digests are merged into another one.
struct MergeSource: Sendable {
  let path: String
  let losses: [DigestStore.Loss]

  /// The number of digests that can be read.
  let digests: Int

  /// The number of digests that cannot be read, and the problems of the first ten.
  let unreadable: Int
  let problems: [String]

  /// The URI to attach the file with.
  let uri: String

  /// Opens a store and reads all its digests once.
  ///
  /// - Throws: ``DigestStoreError``.
  init(_ path: String) throws {
    guard !FileIdentity.isMissing(path) else {
      throw DigestStoreError(.noSuchStore, "\(path): no such store")
    }
    self.path = path
    do {
      try path.checkIsFile()
      let connection = try Connection.openStoreForReading(at: path)
      let mode = connection.mode == .immutable ? "immutable=1" : "mode=ro"
      uri = "\(path.resolvedPath.fileURI)?\(mode)"
      losses = try connection.losses(matching: DigestFilter())
      var (digests, unreadable): (Int, Int) = (0, 0)
      var problems: [String] = []
      let cursor = DigestCursor(DigestFilter())
      for var ids in try cursor.ranges(connection).map(Optional.some) {
        while let range = ids {
          let end = try cursor.readPage(of: range, on: connection) { _ in
            digests += 1
            return true
          }
          unreadable += end.unreadable
          problems += end.problems.prefix(max(0, 10 - problems.count))
          ids = end.rest
        }
      }
      (self.digests, self.unreadable, self.problems) = (digests, unreadable, problems)
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }

  /// Whether the file has pages that SQLite cannot read.
  var isDamaged: Bool {
    // A file that fails to open is damaged, too.
    let result = try? Connection.openStoreForReading(at: path).text("PRAGMA quick_check(1)")
    return result != "ok"
  }
}
