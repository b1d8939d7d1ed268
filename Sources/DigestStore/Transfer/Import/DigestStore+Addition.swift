import ResilientDecoding

/// Valid digests from elsewhere that are to be added.
struct Addition {
  /// The most digests that are added in one transaction, unless they are long. More digests take
  /// many transactions, between which others can write.
  static let largestWhole = 10_000

  /// The number of digests.
  let digests: Int

  /// Whether one transaction is enough.
  let isShort: Bool

  /// Whether the store is a draft, which is deleted if adding fails.
  let isDraft: Bool

  /// What to do if only some of the digests could be added.
  let remedy: String
}

extension DigestStore {
  /// Adds digests and decodes in short transactions, and reads them in between, so that others can
  /// write.
  ///
  /// - Parameters:
  ///   - progress: called between transactions with the number of digests added. An error that it
  ///     throws ends the import.
  ///   - next: returns the next one, or nil at the end.
  /// - Returns: the number of digests added, and the number already known.
  func add(
    _ addition: Addition,
    progress: ((Progress) throws -> Void)? = nil,
    next: () throws -> ImportedRecord?
  ) throws -> (added: Int, known: Int) {
    var pace = addition.isShort ? nil : AdditionPace()
    var added = 0
    var known = 0
    do {
      while true {
        try progress?(Progress(unit: .digests, done: added + known, total: addition.digests))
        var digests: [DigestRecord] = []
        var decodes: [DecodeRecord] = []
        var size = 0
        while size < pace?.size ?? .max, let record = try next() {
          size += record.size
          switch record {
          case .digest(let record): digests.append(redacted(record))
          case .decodes(let record): decodes.append(record)
          }
        }
        guard size > 0 else { break }
        let started = ContinuousClock.now
        let (step, due) = try write { [digests, decodes] in
          (try $0.appendNew(digests, decodes), $0.removeDueTasks())
        }
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
    // Folds now, so that the next report does not have to. The rest is folded later.
    while try write({ try $0.fold() }) {}
    return (added, known)
  }
}

/// The amount that one transaction adds, so that other writers do not wait long.
private struct AdditionPace {
  private static let target = Duration.milliseconds(20)

  /// The number of errors and digests.
  private(set) var size = 2_000

  /// Scales the amount by how much the last transaction missed the target duration.
  mutating func adjust(to duration: Duration) {
    let factor = min(max(Self.target / max(duration, .microseconds(1)), 0.25), 2)
    size = min(max(Int(Double(size) * factor), 100), 20_000)
  }
}

extension DigestRecord {
  /// The number of rows and parts of rows that the digest takes.
  var size: Int { entries.count + omissions.count + 1 }
}
