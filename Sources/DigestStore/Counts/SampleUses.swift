/// When the digests were recorded last that leave out what their failures have: of each failure the
/// message, and what was found.
struct SampleUses {
  /// In milliseconds since 1970; -1 where no digest does.
  struct Use {
    var message: Int64 = -1
    var found: Int64 = -1
  }

  private var uses = DenseMap(Use())

  /// Adds a digest.
  mutating func add(_ digest: DigestCounts, recordedAt moment: Int64) {
    digest.forEachLeftOut { failure, leftOut in
      uses.update(failure) { $0.add(leftOut, at: moment) }
    }
  }

  subscript(failure: Int64) -> Use { uses[failure] }
}

extension SampleUses.Use {
  fileprivate mutating func add(_ leftOut: EntryScanner.LeftOut, at moment: Int64) {
    if leftOut.contains(.message) { message = max(message, moment) }
    if leftOut.contains(.found) { found = max(found, moment) }
  }
}
