import DigestStore

extension DigestStore.Configuration {
  /// How digests are written that come from another store.
  static func forTransfer(into path: String) -> Self {
    Self(
      // They have been cut by the store that they come from, if at all.
      maximumValueLength: 1 << 16,
      onQuarantine: { quarantine in
        Note.write(quarantine.text(about: path))
      }
    )
  }
}

extension DigestStore.Quarantine {
  /// What is said of the store at a path when it is no longer what was there.
  func text(about store: String) -> String {
    // It is beside the store: named as the store was.
    let slash = UInt8(ascii: "/")
    let directory = store.utf8.lastIndex(of: slash).map { store[...$0] } ?? ""
    let name = path.utf8.lastIndex(of: slash).map { path.utf8.index(after: $0) } ?? path.startIndex
    return "\(store): the file was damaged and has been moved to \(directory)\(path[name...]); "
      + "a new store was created"
  }
}
