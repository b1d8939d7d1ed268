#if PostgreSQL
  import DigestStore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// One attempt to send what a fleet does not have of a store.
  final class Push {
    enum Interference: Error {
      /// Another push of the same store has entered something in the meantime.
      case otherPush
    }

    /// How many counts one transaction enters, about: it takes a fraction of a second, and other
    /// pushes wait no longer for it.
    private static let batch = 20_000

    let connection: PostgreSQLConnection
    let store: DigestStore
    let source: Source
    let tallies: StoreTallies
    let name: String

    /// The number that each release of the fleet has.
    var releases: [String: Int64] = [:]

    /// The ids that the fleet has given to numbers of the store.
    var ids: [TallyPack.Table: [Int64: Int64]] = [:]
    var revision: Int64

    /// Finds out what the fleet has, and reads what it has not.
    init(_ connection: PostgreSQLConnection, _ store: DigestStore, _ name: String) throws {
      self.connection = connection
      self.store = store
      self.name = name
      let identity = try store.identity()
      source = try Source.find(identity, name, on: connection)
      revision = source.revision
      var known = StoreTallies.Known()
      known.marks = try Self.marks(of: source.id, on: connection)
      known.lastFailure = try SourceNumbers.last(of: source.id, .failures, on: connection)
      known.lastModel = try SourceNumbers.last(of: source.id, .models, on: connection)
      known.lastDigest = source.lastDigest
      known.firstHour =
        try connection.run("SELECT first_hour FROM digests.fleet").first?.integer(0) ?? 0
      tallies = try store.tallies(beyond: known)
      try checkDescent()
    }

    /// Sends it.
    func run(
      withDigests: Bool, _ progress: (DigestStore.Progress) throws -> Void
    ) throws -> PushSummary {
      var summary = PushSummary(source: name)
      summary.failures = tallies.failures.count
      try enterNames()
      try enterLosses()
      try moveMergedReleases()
      var rest = tallies.packs.filter { $0.key.span >= 0 }[...]
      let total = rest.count
      // Of one that was never pushed nothing can be less than it was.
      if source.revision > 0 { try checkGrowth(of: rest) }
      while !rest.isEmpty {
        try progress(.init(unit: .periods, done: total - rest.count, total: total))
        var batch: [TallyPack] = []
        var length = 0
        while let pack = rest.first, batch.isEmpty || length < Self.batch * 8 {
          batch.append(pack)
          length += pack.bytes.count
          rest.removeFirst()
        }
        summary.tallies += try enter(batch)
      }
      try addUpGrowth()
      if withDigests {
        summary.sentDigests = try enterDigests {
          try progress(.init(unit: .digests, done: $0, total: $1))
        }
      }
      let row = try connection.run(
        "SELECT occurrences, digests FROM digests.source WHERE id = $1", [.integer(source.id)]
      ).first
      summary.occurrences = Int(row?.integer(0) ?? 0)
      summary.digests = Int(row?.integer(1) ?? 0)
      return summary
    }
  }

  extension Push {
    private static func marks(
      of source: Int64, on connection: PostgreSQLConnection
    ) throws -> [TallyPack.Key: Int64] {
      let rows = try connection.run(
        """
        SELECT p.counted, p.span, p.start, r.name, p.mark
        FROM digests.pack AS p JOIN digests.release AS r ON r.id = p.release_id
        WHERE p.source_id = $1
        """, [.integer(source)])
      var marks: [TallyPack.Key: Int64] = [:]
      for row in rows {
        guard let table = TallyPack.Table(rawValue: row.integer(0)) else { continue }
        let key = TallyPack.Key(
          table: table, span: row.integer(1), start: row.integer(2),
          release: row.text(3).map(FleetText.decode))
        marks[key] = row.integer(4)
      }
      return marks
    }

    /// Checks that the file is what became of the one that was pushed before.
    private func checkDescent() throws {
      guard source.lastDigest > 0 else { return }
      if tallies.lastDigest < source.lastDigest {
        throw unfit("it ends before digest \(source.lastDigest), which was pushed")
      }
      if let known = tallies.knownRecordedAt, known != source.lastRecordedAt {
        throw unfit("its digest \(source.lastDigest) is another one than was pushed")
      }
    }

    func unfit(_ reason: String) -> FleetError {
      let next = ISO8601.text(Date(milliseconds: source.lastRecordedAt + 1))
      return FleetError(
        .unfit,
        "the store is a copy, or an older state, of the one that \(connection.name) knows: \(reason); "
          + "nothing of it is counted: move it away, for the app to begin a new one, and import there "
          + "what export --since \(next) has of it")
    }
  }
#endif
