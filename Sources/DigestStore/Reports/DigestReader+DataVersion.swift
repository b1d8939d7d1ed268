extension DigestStore {
  /// An opaque mark of a file's contents at one moment, to compare with another.
  package struct DataVersion: Sendable, Hashable {
    /// The connection that read the number. Numbers of different connections are not comparable.
    let connection: Int

    /// The change counter of the connection (SQLite, "PRAGMA data_version").
    let number: Int64
  }
}

extension DigestReader {
  /// Returns a mark that changes when any process writes to the file. As long as it is equal, every
  /// report that does not depend on the clock returns the same result.
  ///
  /// For programs that show a report and keep it up to date: the call only reads shared memory, and
  /// delays no writer. Call it before the report, so that no change is missed. The version may
  /// differ although nothing has changed, for example after the file was reopened.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func dataVersion() throws -> DigestStore.DataVersion {
    try readFile { connection in
      DigestStore.DataVersion(
        connection: connection.number, number: try connection.integer("PRAGMA data_version") ?? 0)
    }
  }
}
