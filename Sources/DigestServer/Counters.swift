#if Server
  import DigestStore
  import ResilientPlatform

  /// Counts uploads since the start, for the metrics of the server.
  final class Counters: Sendable {
    private let counts = Locked((uploads: 0, added: 0, known: 0))

    func count(_ upload: ImportCounts) {
      counts.withLock { counts in
        counts.uploads += 1
        counts.added += upload.added
        counts.known += upload.known
      }
    }

    /// The counters as Prometheus reads them.
    var text: String {
      let counts = counts.withLock { $0 }
      return [
        ("uploads", "Uploads that were added.", counts.uploads),
        ("uploaded_digests", "Digests that uploads have added.", counts.added),
        ("repeated_digests", "Digests of uploads that were there already.", counts.known),
      ].map { name, help, count in
        """
        # HELP digest_collector_\(name)_total \(help)
        # TYPE digest_collector_\(name)_total counter
        digest_collector_\(name)_total \(count)

        """
      }.joined()
    }
  }
#endif
