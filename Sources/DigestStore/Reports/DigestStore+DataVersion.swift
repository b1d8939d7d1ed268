/// What a file had at one moment, as a mark to compare: it says nothing else.
public struct DataVersion: Sendable, Hashable {
  /// Which connection of this process has looked; each counts for itself.
  let connection: UInt64

  /// What SQLite counts for a connection (SQLite, "PRAGMA data_version").
  let number: Int64
}

extension DigestStore {
  /// Tells whether anyone has written to the file since: as long as the version is the same, every
  /// question that does not depend on the clock has the same answer.
  ///
  /// For what shows a report and keeps it up to date: asking costs a look at shared memory, and
  /// keeps no writer waiting. Ask it before the report, so that nothing is missed between them. A
  /// version may be another one although nothing has changed, as after the file was opened anew.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func dataVersion() throws -> DataVersion {
    try read { connection in
      DataVersion(
        connection: connection.number, number: try connection.integer("PRAGMA data_version") ?? 0)
    }
  }
}
