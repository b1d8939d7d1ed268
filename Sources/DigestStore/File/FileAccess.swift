/// Whether this process may have connections to a file.
enum FileAccess {
  case open, suspended, closed

  /// - Throws: ``DigestStoreError`` if no connection may be opened.
  func check(_ path: String) throws {
    switch self {
    case .open: return
    case .suspended: throw DigestStoreError.suspended(path)
    case .closed: throw DigestStoreError.closed(path)
    }
  }
}
