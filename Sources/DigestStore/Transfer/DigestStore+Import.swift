/// What an import has done.
public struct ImportSummary: Sendable, Hashable {
  /// How many digests were added.
  public let added: Int

  /// How many the store had already, by their id.
  public let known: Int

  /// How many lines were left out because they are no digests.
  public let invalid: Int

  /// What is wrong with the first of those, ten at most, as in `line 3: model is missing`.
  public let problems: [String]
}

extension DigestStore {
  /// How many digests are imported in one transaction, unless they are long ones; more of them in
  /// many, between which others can write.
  static let largestWholeImport = 10_000

  /// Adds the digests of a file of NDJSON, as ``exportDigests(matching:to:)`` writes them.
  ///
  /// All of the file is imported, or nothing where it has a bad line: it is read twice, and what
  /// comes out of a pipe is kept in a temporary file meanwhile. A digest whose id the store has or
  /// has had is left out, so that importing a file twice changes nothing; one without an id is a
  /// new one each time. Empty lines are passed over.
  ///
  /// A large file is imported in many short transactions, so that apps go on writing. When one of
  /// them fails, say because the disk is full, the error says how many digests are in.
  ///
  /// - Parameters:
  ///   - descriptor: the open file, read from where it stands to its end.
  ///   - skippingInvalid: whether to leave out a bad line rather than to stop.
  /// - Throws: ``DigestStoreError``, of code `invalidInput` with the number of a bad line.
  public func importDigests(
    fromFileDescriptor descriptor: Int32,
    skippingInvalid: Bool = false
  ) throws -> ImportSummary {
    // Nothing of a file is worth the work that cannot be written.
    try write { _ in }
    let source = try ImportSource(descriptor: descriptor)
    let check = try Check(source, skippingInvalid: skippingInvalid)
    let records = NumberedRecords(
      try source.secondReading(length: check.length), skippingInvalid: skippingInvalid)
    let (added, known) = try add(records, check)
    return ImportSummary(
      added: added, known: known, invalid: check.invalid, problems: check.problems)
  }

  /// Adds digests step by step, and reads them in between, so that others have their turn.
  private func add(
    _ records: NumberedRecords,
    _ check: Check
  ) throws -> (added: Int, known: Int) {
    var records = records
    var pace = check.isShort ? nil : ImportPace()
    var added = 0
    var known = 0
    do {
      while true {
        var batch: [(DigestRecord, EncodedDigest?)] = []
        var size = 0
        while size < pace?.size ?? .max, let record = try Check.sameAgain({ try records.next() }) {
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
      guard added + known == check.digests else { throw Check.changed }
    } catch let error as DigestStoreError where added + known > 0 {
      throw DigestStoreError(
        error.code,
        "\(error.description); \(added + known) of \(check.digests) digests are in, import the file "
          + "again: those with an id are not added twice"
      )
    }
    // So that the next report need not; what is left over is folded later.
    while try write({ try $0.fold() }) {}
    return (added, known)
  }
}

/// What the first reading of a file has shown.
private struct Check {
  let digests: Int
  let length: Int
  let invalid: Int
  let problems: [String]

  /// Whether one transaction is enough.
  var isShort: Bool { digests <= DigestStore.largestWholeImport && length <= 8 << 20 }

  init(_ source: borrowing ImportSource, skippingInvalid: Bool) throws {
    var records = NumberedRecords(source.firstReading(), skippingInvalid: skippingInvalid)
    var digests = 0
    while try records.next() != nil { digests += 1 }
    self.digests = digests
    length = records.lines.length
    invalid = records.invalid
    problems = records.problems
  }

  /// Reads for the second time what was good the first time.
  static func sameAgain<Value>(_ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let error as DigestStoreError where error.code == .invalidInput {
      throw changed
    }
  }

  static let changed = DigestStoreError(
    .inputOutput, "the file has changed while it was read; import it when it is complete")
}

/// How much one transaction of an import adds, so that nobody waits long for it.
private struct ImportPace {
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
  fileprivate var size: Int { entries.count + omissions.count + 1 }
}
