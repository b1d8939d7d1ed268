import DigestStore

extension PostgreSQLFleet {
  /// Each part is one transaction, which also marks the part as sent.
  func push(
    _ store: DigestReader, as name: SourceName, withDigests: Bool,
    progress: (DigestReader.Progress) throws -> Void
  ) throws -> PushSummary {
    try connection.mappingErrors(needing: .writer) {
      try checkVersion()
      return try repeatingConcurrentPushes(to: self.name) {
        try PostgreSQLPush(connection, store, name).run(withDigests: withDigests, progress)
      }
    }
  }
}
