import ResilientDecoding

/// A failure as the file has it, with its samples: what its entries may leave out.
struct FailureSample {
  let id: Int64

  /// The message of an entry that has none of its own.
  let message: BinaryString?

  /// What was found by an entry that does not say so.
  var found: KeptFoundValue?

  /// Whether the file has something found for it, or had when this was read.
  var hasSample: Bool

  /// Whether this becomes what the file has found for it.
  func wants(_ found: ErrorDigest.FoundValue?, isCounted: Bool = false) -> Bool {
    guard !hasSample, let found else { return false }
    // In the place of one that was cleared comes one of its type, of an entry that leaves it out.
    return self.found.map { $0.type == found.type.rawValue && !isCounted } ?? true
  }
}
