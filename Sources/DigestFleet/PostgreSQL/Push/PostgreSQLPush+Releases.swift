import DigestStore

extension PostgreSQLPush {
  /// Merges the packs of the releases that the store has merged to make room.
  ///
  /// The sums keep the releases apart. The store's merged counts were sent under their own names before,
  /// so they are not new. If a merged release occurs again, the store counts it anew.
  func moveMergedReleases() throws {
    guard let list else { return }
    try withRevision {
      let sums = try mergedPacks()
      try remove(try movedPacks())
      try write(sums.map { PackedCounts(key: $0, bytes: $1) } + [list])
    }
  }

  /// Removes packs that the store no longer has. The sums stay.
  func remove(_ packs: [PackedCounts]) throws {
    try connection.run(
      "SELECT digests.remove_packs($1, $2, $3, $4, $5)", [.integer(source.id)] + keys(packs))
  }
}
