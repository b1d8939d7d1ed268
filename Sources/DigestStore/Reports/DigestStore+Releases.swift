extension DigestStore {
  /// Tells whether the store has met a release: whether a digest was ever recorded for it.
  ///
  /// - Parameter name: the release's whole name, without wildcards.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func hasRelease(_ name: String) throws -> Bool {
    try snapshot { snapshot in
      if case .none = try snapshot.releases(DigestFilter(release: name)) { false } else { true }
    }
  }
}
