/// For each failure, the time of the newest digest that omits its message or found value and relies
/// on the sample.
struct SampleUses {
  /// Milliseconds since 1970; -1 if no digest relies on the sample.
  struct Use {
    var message: Int64 = -1
    var found: Int64 = -1
  }

  private var uses = DenseMap(Use())

  /// Adds the last digest that `digest` has read.
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
