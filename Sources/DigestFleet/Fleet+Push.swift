package import DigestStore

extension Fleet {
  /// Sends what the fleet does not have yet of a store.
  ///
  /// It can be interrupted anywhere and run again, also by several processes at once: what arrives
  /// is entered together with the mark by which it is known to be there, in one transaction for
  /// each part. Nothing is counted twice and nothing is missed. The store is only read, and let go
  /// before the first part is sent.
  ///
  /// - Parameters:
  ///   - store: where what has been recorded is.
  ///   - name: the name to list it by; nil for the one that the fleet has.
  ///   - fallback: the name of a store that is new there where none is given, such as the machine's.
  ///   - takesName: whether the store gets the name even if that renames it, or if another store has it.
  ///   - withDigests: whether the digests themselves are sent too, and not their counts alone.
  ///   - progress: called with the number of packs, and then of digests, that have been sent. An error that it
  ///     throws ends the push.
  /// - Throws: ``FleetError``, also for a file that is a copy of the one that was pushed before, or
  ///   an older state of it; `DigestStoreError` when the store cannot be read.
  package func push(
    _ store: DigestStore,
    as name: String?,
    orElse fallback: String,
    takingName takesName: Bool = false,
    withDigests: Bool = false,
    progress: (DigestStore.Progress) throws -> Void = { _ in }
  ) throws -> PushSummary {
    let name = SourceName(given: name, fallback: fallback, isTaken: takesName)
    return try connection.mappingErrors(needing: .writer) {
      try checkVersion()
      var attempt = 0
      while true {
        do {
          return try Push(connection, store, name).run(withDigests: withDigests, progress)
        } catch Push.Interference.otherPush where attempt < 10 {
          // What it has sent is known now, and what is left may be nothing.
          attempt += 1
        } catch Push.Interference.otherPush {
          throw FleetError(
            .failed, "\(self.name): other pushes of this store are running; run it again later")
        }
      }
    }
  }
}
