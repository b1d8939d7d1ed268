import ResilientPlatform

extension String {
  /// Rejects an empty path, and everything but a regular file: SQLite has no clear error for a
  /// directory, and would wait for a pipe.
  ///
  /// - Throws: ``DigestStoreError``, or ``SQLiteError`` if the path cannot be examined.
  func checkIsFile() throws {
    guard !isEmpty else {
      throw DigestStoreError(.inputOutput, "the path of the store is empty; name a file")
    }
    guard let file = try FileIdentity.find(self) else { return }
    switch file.kind {
    case S_IFREG: return
    case S_IFDIR:
      throw DigestStoreError(.inputOutput, "\(self): this is a directory; name a file in it")
    default:
      throw DigestStoreError(.inputOutput, "\(self): this is not a regular file; name another one")
    }
  }

  /// The absolute path without symbolic links, or the path unchanged if its directory does not
  /// exist.
  ///
  /// SQLite resolves a path in the same way when it opens a file, and keeps the result.
  var resolvedPath: String { resolvedPath(followingLinks: 40) }

  /// - Parameter count: the number of links to missing files that are followed, as by Linux.
  private func resolvedPath(followingLinks count: Int) -> String {
    if let path = Self.realPath(self) { return path }
    if count > 0, let link = try? FileManager.default.destinationOfSymbolicLink(atPath: self) {
      return (link.hasPrefix("/") ? link : "\(directory)/\(link)")
        .resolvedPath(followingLinks: count - 1)
    }
    guard let directory = Self.realPath(directory) else { return self }
    return directory == "/" ? "/\(fileName)" : "\(directory)/\(fileName)"
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
