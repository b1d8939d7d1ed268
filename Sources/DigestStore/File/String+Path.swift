import ResilientPlatform

extension String {
  /// Rejects an empty path, and everything but a regular file: SQLite has no clear error for a
  /// directory, and would wait for a pipe.
  func checkIsFile() throws {
    guard !isEmpty else {
      throw DigestStoreError(.inputOutput, "the path of the store is empty; name a file")
    }
    var status = stat()
    guard stat(self, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
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
  var resolvedPath: String {
    if let path = Self.realPath(self) { return path }
    guard let directory = Self.realPath(directory) else { return self }
    return directory == "/" ? "/\(fileName)" : "\(directory)/\(fileName)"
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
