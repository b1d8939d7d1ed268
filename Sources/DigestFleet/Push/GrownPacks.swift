#if PostgreSQL
  import DigestStore

  /// What is to be added to the sums of failures that are packed, by the ids of a fleet.
  struct GrownPacks {
    private var spans: [Int64] = []
    private var starts: [Int64] = []
    private var releases: [Int64] = []
    private var cells: [[UInt8]] = []

    mutating func add(_ counts: [TallyCount], span: Int64, start: Int64, release: Int64) {
      guard !counts.isEmpty else { return }
      let key = TallyPack.Key(table: .failures, span: span, start: start, release: nil)
      add(TallyPack(key: key, counts: counts), release: release)
    }

    mutating func add(_ pack: TallyPack, release: Int64) {
      spans.append(pack.key.span)
      starts.append(pack.key.start)
      releases.append(release)
      cells.append(pack.bytes)
    }

    func insert(on connection: PostgreSQLConnection) throws {
      guard !spans.isEmpty else { return }
      try connection.run(
        """
        INSERT INTO digests.growth (span, start, release_id, cells)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[])
        """,
        [.integers(spans), .integers(starts), .integers(releases), .byteStrings(cells)])
    }
  }
#endif
