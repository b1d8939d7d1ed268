import DigestStore

extension Push {
  /// Follows a store that has counted releases together to make room, by what it says of them.
  ///
  /// The sums keep them apart. But what the store now has under the name of all of them was sent
  /// under their own names before, and is no news; and when one of them occurs again, the store
  /// begins to count it anew.
  func moveMergedReleases() throws {
    guard let list else { return }
    try entering {
      let sums = try mergedPacks()
      try remove(try movedPacks())
      try write(sums.map { TallyPack(key: $0, bytes: $1) } + [list])
    }
  }

  /// The packs of the release that others are counted with now, as they would have been sent: what
  /// was sent of it, and of those that have come to it since.
  func mergedPacks() throws -> [TallyPack.Key: [UInt8]] {
    guard let list else { return [:] }
    let own = [TallyPack.Table.failures, .models].map { pack($0, list.key.release) }
    var sums = try earlierPacks(own)
    for (key, bytes) in try earlierPacks(try movedPacks()) {
      let sum = pack(key.table, list.key.release).key
      sums[sum] = try reading {
        try TallyPack(key: sum, bytes: bytes).adding(sums[sum] ?? [])
      }
    }
    return sums
  }

  /// What the store says of the releases that it counts together.
  private var list: TallyPack? { tallies.packs.first { $0.key.span < 0 } }

  /// The packs of the releases that were merged since the last push.
  private func movedPacks() throws -> [TallyPack] {
    guard let list else { return [] }
    guard let merged = try growth(of: list, since: earlierPacks([list])[list.key]) else {
      throw try unfit("it has merged fewer releases than were pushed")
    }
    return merged.flatMap { release in
      let name = tallies.releases[release.number].map(ExactText.init)
      return [pack(.failures, name), pack(.models, name)]
    }
  }

  private func pack(_ table: TallyPack.Table, _ release: ExactText?) -> TallyPack {
    TallyPack(
      key: TallyPack.Key(table: table, span: 0, start: 0, release: release), bytes: [])
  }

  /// Forgets what was sent in some packs, for the store counts on without it. The sums stay.
  func remove(_ packs: [TallyPack]) throws {
    try connection.run(
      "SELECT digests.remove_packs($1, $2, $3, $4, $5)", [.integer(source.id)] + keys(packs))
  }
}
