import DigestStore

extension ClickHouseFleet {
  func push(
    _ store: DigestReader, as name: SourceName, withDigests: Bool,
    progress: (DigestReader.Progress) throws -> Void
  ) throws -> PushSummary {
    try connection.mappingErrors(.writer) {
      try repeatingConcurrentPushes(to: self.name) {
        try ClickHousePush(self, store, name).run(self, withDigests: withDigests, progress)
      }
    }
  }
}
