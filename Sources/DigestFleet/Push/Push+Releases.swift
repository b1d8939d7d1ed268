#if PostgreSQL
  import DigestStore

  extension Push {
    /// Follows a store that has counted releases together to make room, by what it says of them.
    ///
    /// The sums keep them apart. But what the store now has under the name of all of them was sent
    /// under their own names before, and is no news; and when one of them occurs again, the store
    /// begins to count it anew.
    func moveMergedReleases() throws {
      guard let list = tallies.packs.first(where: { $0.key.span < 0 }) else { return }
      try entering {
        let earlier = try earlierPacks([list])[list.key] ?? []
        guard let merged = try list.growth(since: earlier) else {
          throw unfit("it has merged fewer releases than were pushed")
        }
        let names = merged.map { tallies.releases[$0.number] }
        for table in [TallyPack.Table.failures, .models] {
          func pack(_ release: String?) -> TallyPack {
            TallyPack(
              key: TallyPack.Key(table: table, span: 0, start: 0, release: release), bytes: [])
          }
          let moved = names.map(pack)
          let sent = try earlierPacks(moved + [pack(list.key.release)])
          var sum = pack(list.key.release)
          for bytes in sent.values {
            sum = TallyPack(key: sum.key, bytes: try sum.adding(bytes))
          }
          try remove(moved)
          try write([sum])
        }
        try write([list])
      }
    }

    /// Forgets what was sent in some packs, for the store counts on without it. The sums stay.
    func remove(_ packs: [TallyPack]) throws {
      try connection.run(
        """
        DELETE FROM digests.pack AS p
        USING unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
          AS k (counted, span, start, release_id)
        WHERE p.source_id = $1::bigint AND p.counted = k.counted AND p.span = k.span
          AND p.start = k.start AND p.release_id = k.release_id
        """, [.integer(source.id)] + keys(packs))
    }
  }
#endif
