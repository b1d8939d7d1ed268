package import DigestStore

extension Fleet {
  /// Sends what the fleet does not have yet of a store.
  ///
  /// A push can be interrupted anywhere and run again, also by several processes at once. Each part is one
  /// transaction, which also marks the part as sent: so nothing is counted twice and nothing is missed.
  /// The store is only read, and closed before the first part is sent.
  ///
  /// - Parameters:
  ///   - store: the store to send.
  ///   - name: the name to list the store by; nil for its name in the fleet.
  ///   - fallback: the name of a new store if `name` is nil, such as that of the machine.
  ///   - takesName: whether to use the name even if that renames the store, or another store has it.
  ///   - withDigests: whether to send the digests themselves in addition to their counts.
  ///   - progress: called with the number of periods, and then of digests, that have been sent. An error
  ///     that it throws ends the push.
  /// - Throws: ``FleetError``, also for a file that is a copy or an older state of the pushed one;
  ///   `DigestStoreError` if the store cannot be read.
  package func push(
    _ store: DigestReader,
    as name: String?,
    orElse fallback: String,
    takingName takesName: Bool = false,
    withDigests: Bool = false,
    progress: (DigestReader.Progress) throws -> Void = { _ in }
  ) throws -> PushSummary {
    let name = SourceName(given: name, fallback: fallback, isTaken: takesName)
    return try connection.mappingErrors(needing: .writer) {
      try checkVersion()
      var attempt = 0
      while true {
        do {
          return try Push(connection, store, name).run(withDigests: withDigests, progress)
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
