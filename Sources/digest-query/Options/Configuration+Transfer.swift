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
    // Beside the store, under the name of its directory that was given.
    let directory = store.utf8.lastIndex(of: UInt8(ascii: "/")).map { store[...$0] } ?? ""
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] }
    return "\(store): the file was damaged and is now \(directory)\(name ?? path[...]); a new store "
      + "was begun"
  }
}
