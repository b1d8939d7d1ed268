#if PostgreSQL
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
    ///   - name: by what people know it, such as the name of the machine.
    ///   - withDigests: whether the digests themselves are sent too, and not their counts alone.
    ///   - progress: called with the number of packs, and then of digests, that have been sent. An error that it
    ///     throws ends the push.
    /// - Throws: ``FleetError``, also for a file that is a copy of the one that was pushed before, or
    ///   an older state of it; `DigestStoreError` when the store cannot be read.
    package func push(
      _ store: DigestStore,
      as name: String,
      withDigests: Bool = false,
      progress: (DigestStore.Progress) throws -> Void = { _ in }
    ) throws -> PushSummary {
      try telling(needing: .writer) {
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
#endif
