import DigestStore

extension DigestStore.Configuration {
  /// The configuration for writing digests of another store.
  static var forImport: Self {
    // The other store has already cut long values.
    var configuration = Self(maximumValueLength: 1 << 16)
    configuration.setsDamagedFilesAside = false
    return configuration
  }
}
