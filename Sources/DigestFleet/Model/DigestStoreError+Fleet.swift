import DigestStore

extension DigestStoreError {
  static func noFleet(_ name: String) -> Self {
    Self(
      .noSuchStore, "\(name) has no tables of a fleet; make them with digest-query fleet init URL")
  }

  /// Checks the version of a fleet's tables.
  ///
  /// - Parameters:
  ///   - version: the version on the server; nil without tables.
  ///   - known: the version that this build reads and writes.
  ///   - name: the server, as messages show it.
  static func check(_ version: Int64?, _ known: Int64, of name: String) throws {
    guard let version else { throw noFleet(name) }
    guard version == known else {
      throw Self(
        .newerStore,
        "\(name) has tables of version \(version), and this version knows \(known): use a newer version"
      )
    }
  }
}
