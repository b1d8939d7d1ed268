import DigestStore

extension DigestStore.Configuration {
  /// How digests are written that come from another store.
  static func forTransfer(into path: String) -> Self {
    Self(
      // They have been cut by the store that they come from, if at all.
      maximumValueLength: 1 << 16,
      onQuarantine: { quarantine in
        Note.write(
          "\(path): the file was damaged and is now \(quarantine.path); a new store was begun")
      }
    )
  }
}
