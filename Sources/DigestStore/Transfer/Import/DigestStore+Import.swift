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
  /// Adds the digests of a file of NDJSON, as ``exportDigests(matching:in:to:)`` writes them.
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
  ///   - progress: called with what has been read or added, also after a signal has interrupted a
  ///     read, before the first digest is added, and between transactions. An error that it throws
  ///     ends the import.
  /// - Throws: ``DigestStoreError``, of code `invalidInput` with the number of a bad line; what
  ///   `progress` throws.
  public func importDigests(
    fromFileDescriptor descriptor: Int32,
    skippingInvalid: Bool = false,
    progress: ((Progress) throws -> Void)? = nil
  ) throws -> ImportSummary {
    // Nothing of a file is worth the work that cannot be written.
    try write { _ in }
    let source = try ImportSource(descriptor: descriptor)
    let check = try Check(source, skippingInvalid: skippingInvalid, progress)
    return try add(source, check, skippingInvalid: skippingInvalid, progress)
  }

  /// Adds the digests of a file of NDJSON to the store at a path, as
  /// ``importDigests(fromFileDescriptor:skippingInvalid:progress:)`` does, and makes one where there is none.
  ///
  /// A new store appears at the path with all of the file in it, or not at all: until then it is
  /// `<path>.draft-` and six characters. Only a process that dies leaves that behind.
  ///
  /// - Parameters:
  ///   - descriptor: the open file, read from where it stands to its end.
  ///   - path: where the store is, or is to be.
  ///   - configuration: how the store writes, and what it keeps.
  ///   - skippingInvalid: whether to leave out a bad line rather than to stop.
  ///   - progress: called with what has been read or added, also after a signal has interrupted a
  ///     read, before the first digest is added, and between transactions. An error that it throws
  ///     ends the import.
  /// - Throws: ``DigestStoreError``, of code `invalidInput` with the number of a bad line; what
  ///   `progress` throws.
  public static func importDigests(
    fromFileDescriptor descriptor: Int32,
    intoStoreAt path: String,
    configuration: Configuration = Configuration(),
    skippingInvalid: Bool = false,
    progress: ((Progress) throws -> Void)? = nil
  ) throws -> ImportSummary {
    let source = try ImportSource(descriptor: descriptor)
    var known: Check?
    return try withStore(at: path, configuration) { store, isDraft in
      try store.write { _ in }
      let check = try known ?? Check(source, skippingInvalid: skippingInvalid, progress)
      known = check
      return try store.add(
        source, check, skippingInvalid: skippingInvalid, isDraft: isDraft, progress)
    }
  }

  /// Adds the digests of a file that has been checked.
  private func add(
    _ source: borrowing ImportSource,
    _ check: Check,
    skippingInvalid: Bool,
    isDraft: Bool = false,
    _ progress: ((Progress) throws -> Void)?
  ) throws -> ImportSummary {
    var records = NDJSONReader(
      try source.secondReading(length: check.length), skippingInvalid: skippingInvalid)
    var count = 0
    let addition = Addition(
      digests: check.digests, isShort: check.isShort, isDraft: isDraft,
      remedy: "import the file again")
    let (added, known) = try add(addition, progress: progress) {
      if let record = try Check.sameAgain({ try records.next() }) {
        count += 1
        return record
      }
      guard count == check.digests else { throw Check.changed }
      return nil
    }
    return ImportSummary(
      added: added, known: known, invalid: check.invalid, problems: check.problems)
  }
}

/// What the first reading of a file has shown.
private struct Check {
  let digests: Int
  let length: Int
  let invalid: Int
  let problems: [String]

  /// Whether one transaction is enough.
  var isShort: Bool { digests <= Addition.largestWhole && length <= 8 << 20 }

  init(
    _ source: borrowing ImportSource,
    skippingInvalid: Bool,
    _ progress: ((DigestStore.Progress) throws -> Void)?
  ) throws {
    var records = NDJSONReader(source.firstReading(progress), skippingInvalid: skippingInvalid)
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
