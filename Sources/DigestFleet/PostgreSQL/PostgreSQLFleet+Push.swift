import DigestStore

extension PostgreSQLFleet {
  /// Each part is one transaction, which also marks the part as sent.
  func push(
    _ store: DigestReader, as name: SourceName, withDigests: Bool,
    progress: (DigestReader.Progress) throws -> Void
  ) throws -> PushSummary {
    try connection.mappingErrors(needing: .writer) {
      try checkVersion()
      var attempt = 0
      while true {
        do {
          return try PostgreSQLPush(connection, store, name).run(withDigests: withDigests, progress)
        } catch is ConcurrentPush where attempt < 10 {
          // The next attempt sends what the other push has left.
          attempt += 1
        } catch is ConcurrentPush {
          throw FleetError(
            .failed, "\(self.name): other pushes of this store are running; run it again later")
        }
      }
    }
  }
}
