extension String {
  /// The part of the path after the last slash.
  var fileName: Substring {
    lastSlash.map { self[utf8.index(after: $0)...] } ?? self[...]
  }

  /// The part of the path before the file name.
  var directory: String {
    lastSlash.map { $0 == startIndex ? "/" : String(self[..<$0]) } ?? "."
  }

  /// Searches bytes, because a slash with a combining mark is another `Character`.
  private var lastSlash: Index? { utf8.lastIndex(of: UInt8(ascii: "/")) }
}
