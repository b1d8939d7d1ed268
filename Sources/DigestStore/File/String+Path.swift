extension String {
  /// Of a path, what stands behind the last slash.
  var fileName: Substring {
    lastSlash.map { self[utf8.index(after: $0)...] } ?? self[...]
  }

  /// Of a path, the directory that the file is in.
  var directory: String {
    lastSlash.map { $0 == startIndex ? "/" : String(self[..<$0]) } ?? "."
  }

  /// Sought among the bytes: a combining mark makes a slash another character.
  private var lastSlash: Index? { utf8.lastIndex(of: UInt8(ascii: "/")) }
}
