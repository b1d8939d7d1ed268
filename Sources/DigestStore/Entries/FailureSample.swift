import ResilientDecoding

/// A stored failure with its sample: the message and found value that its entries may omit.
struct FailureSample {
  let id: Int64

  /// The message of an entry that omits it.
  let message: BinaryString?

  /// The found value of an entry that omits it.
  var found: KeptFoundValue?

  /// Whether the file stores a found value for the failure, or did when this was read.
  var hasSample: Bool

  /// Whether the file should store this found value for the failure.
  func wants(_ found: ErrorDigest.FoundValue?, isCounted: Bool = false) -> Bool {
    guard !hasSample, let found else { return false }
    // A cleared found value is replaced only by one of its type, from an entry that omits it.
    return self.found.map { $0.type == found.type.rawValue && !isCounted } ?? true
  }
}
