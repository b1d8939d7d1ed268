import ResilientDecoding

/// Digests from elsewhere that are to be added, of which it is known that they are sound.
struct Addition {
  /// How many digests are added in one transaction, unless they are long ones; more of them in
  /// many, between which others can write.
  static let largestWhole = 10_000

  /// How many there are.
  let digests: Int

  /// Whether one transaction is enough.
  let isShort: Bool

  /// Whether nothing stays of them in the store when adding them fails.
  let isDraft: Bool

  /// What to do when some of them are in and the others are not.
  let remedy: String
}

extension DigestStore {
  /// Adds digests step by step, and reads them in between, so that others have their turn.
  ///
  /// - Parameters:
  ///   - progress: called between transactions with the number of digests added. An error that it throws ends
  ///     the import.
  ///   - next: gives a digest, and nil behind the last one.
  /// - Returns: how many were added and how many were there already.
  func add(
    _ addition: Addition,
    progress: ((Progress) throws -> Void)? = nil,
    next: () throws -> DigestRecord?
  ) throws -> (added: Int, known: Int) {
    var pace = addition.isShort ? nil : AdditionPace()
    var added = 0
    var known = 0
    do {
      while true {
        try progress?(Progress(unit: .digests, done: added + known, total: addition.digests))
        var batch: [(DigestRecord, EncodedDigest?)] = []
        var size = 0
        while size < pace?.size ?? .max, let record = try next() {
          size += record.size
          let record = redacted(record)
          batch.append((record, file.known.encode(record)))
        }
        guard !batch.isEmpty else { break }
        let started = ContinuousClock.now
        let (step, due) = try write { [batch] in (try $0.appendNew(batch), $0.takeDue()) }
        pace?.adjust(to: .now - started)
        maintenance.request(due)
        added += step.added
        known += step.known
      }
    } catch let error as DigestStoreError where added + known > 0 && !addition.isDraft {
      throw DigestStoreError(
        error.code,
        "\(error.description); \(added + known) of \(addition.digests) digests are in, "
          + "\(addition.remedy): those with an id are not added twice"
      )
    }
    // So that the next report need not; what is left over is folded later.
    while try write({ try $0.fold() }) {}
    return (added, known)
  }
}

/// How much one transaction adds, so that nobody waits long for it.
private struct AdditionPace {
  private static let target = Duration.milliseconds(20)

  /// In errors and digests.
  private(set) var size = 2_000

  /// Takes as much more or less as the last transaction was too short or too long.
  mutating func adjust(to duration: Duration) {
    let factor = min(max(Self.target / max(duration, .microseconds(1)), 0.25), 2)
    size = min(max(Int(Double(size) * factor), 100), 20_000)
  }
}

extension DigestRecord {
  /// How many rows and parts of rows it takes to write it.
  var size: Int { entries.count + omissions.count + 1 }
}
