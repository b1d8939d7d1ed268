import DigestStore

extension DigestStore.Configuration {
  /// The configuration for writing digests of another store.
  static func forImport(into path: String) -> Self {
    Self(
      // The other store has already cut long values.
      maximumValueLength: 1 << 16,
      onQuarantine: { quarantine in
        Note.write(quarantine.text(about: path))
      }
    )
  }
}

extension DigestStore.Quarantine {
  /// A note that the store at a path was replaced.
  func text(about store: String) -> String {
    // The file is beside the store, and is named with the same directory.
    let slash = UInt8(ascii: "/")
    let directory = store.utf8.lastIndex(of: slash).map { store[...$0] } ?? ""
    let name = path.utf8.lastIndex(of: slash).map { path.utf8.index(after: $0) } ?? path.startIndex
    return "\(store): the file was damaged and has been moved to \(directory)\(path[name...]); "
      + "a new store was created"
  }
}
