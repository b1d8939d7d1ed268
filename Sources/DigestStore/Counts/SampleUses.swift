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
    digest.forEachOmittedField { failure, omitted in
      uses.update(failure) { $0.add(omitted, at: moment) }
    }
  }

  subscript(failure: Int64) -> Use { uses[failure] }
}

extension SampleUses.Use {
  fileprivate mutating func add(_ omitted: EntryReader.OmittedFields, at moment: Int64) {
    if omitted.contains(.message) { message = max(message, moment) }
    if omitted.contains(.found) { found = max(found, moment) }
  }
}
