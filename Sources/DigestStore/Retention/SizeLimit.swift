/// The size of a file that retention keeps.
struct SizeLimit: Equatable {
  /// The smallest limit: names and totals of 200 failures take 0.2 MB, and the counts of a few days
  /// some more.
  static let smallest = 1 << 20

  /// The size above which something is deleted, in bytes.
  let high: Int

  /// The size at which deleting ends, in bytes.
  let low: Int

  /// The number of digests that may wait to be folded before the size is looked at again.
  let maximumUnfolded: Int64

  /// The limit of a store that records. Below the limit is room for what is written between two
  /// looks: an eighth of it, at most 8 MiB.
  init(recording bytes: Int) {
    let bytes = max(bytes, Self.smallest)
    high = bytes - min(bytes / 8, 8 << 20)
    // Deletes in batches, not for every digest.
    low = high - bytes / 64
    // A digest with its counts takes up to 1,000 bytes, so this is an eighth of the limit.
    maximumUnfolded = min(Fold.maximumUnfolded, Int64(bytes / 8_192))
  }

  /// The limit of a prune: no more is deleted than needed.
  init(once bytes: Int) {
    high = max(bytes, Self.smallest)
    low = high
    maximumUnfolded = Fold.maximumUnfolded
  }
}
