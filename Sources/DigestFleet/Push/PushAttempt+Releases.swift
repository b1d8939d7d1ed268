import DigestStore

extension PushAttempt {
  /// The packs of the merged release as they would have been sent: the sum of what was sent of it and of
  /// the releases merged into it since.
  func mergedPacks() throws -> [PackedCounts.Key: [UInt8]] {
    guard let list else { return [:] }
    let own = PackedCounts.Subject.allCases.map { pack($0, list.key.release) }
    var sums = try earlierPacks(own)
    for (key, bytes) in try earlierPacks(try movedPacks()) {
      let sum = pack(key.subject, list.key.release).key
      sums[sum] = try reading {
        try PackedCounts(key: sum, bytes: bytes).adding(sums[sum] ?? [])
      }
    }
    return sums
  }

  /// The store's list of merged releases.
  var list: PackedCounts? { counts.packs.first { $0.key.span < 0 } }

  /// The packs of the releases that were merged since the last push.
  func movedPacks() throws -> [PackedCounts] {
    guard let list else { return [] }
    guard let merged = try growth(of: list, since: earlierPacks([list])[list.key]) else {
      throw try unfit("it has merged fewer releases than were pushed")
    }
    return merged.flatMap { release in
      let name = counts.releases[release.id].map(BinaryString.init)
      return PackedCounts.Subject.allCases.map { pack($0, name) }
    }
  }

  private func pack(
    _ subject: PackedCounts.Subject, _ release: BinaryString?
  ) -> PackedCounts {
    PackedCounts(
      key: PackedCounts.Key(subject: subject, span: 0, start: 0, release: release), bytes: [])
  }
}
