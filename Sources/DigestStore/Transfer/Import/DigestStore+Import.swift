public import ResilientPlatform

extension DigestStore {
  /// The result of an import.
  public struct ImportSummary: Sendable, Hashable, Codable {
    /// The number of digests added.
    public let added: Int

    /// The number of digests that the store already had, by id.
    public let known: Int

    /// The number of lines skipped because they are not digests.
    public let invalid: Int

    /// The problems of the first ten skipped lines, as in `line 3: model is missing`.
    public let problems: [String]

    /// Creates a value, for example for a test or a preview.
    public init(
      added: Int, known: Int, invalid: Int, problems: [String]
    ) {
      self.added = added
      self.known = known
      self.invalid = invalid
      self.problems = problems
    }
  }
}

extension DigestStore {
  /// Adds the digests of an NDJSON file as written by
  /// ``DigestReader/exportDigests(matching:in:to:)``.
  ///
  /// Imports the whole file, or nothing if it has an invalid line. To do so, it reads the file
  /// twice; the data of a pipe is kept in a temporary file. A digest with an id that the store has
  /// or had is skipped, so importing a file twice changes nothing. A digest without an id is added
  /// each time. Empty lines are skipped.
  ///
  /// A large file is imported in many short transactions, so that apps can write in between. If one
  /// of them fails, for example because the disk is full, the error says how many digests were
  /// added.
  ///
  /// - Parameters:
  ///   - descriptor: the open file, read from its current position to its end.
  ///   - skippingInvalid: whether to skip an invalid line instead of failing.
  ///   - progress: called with the amount read or added: before each read, after a signal has
  ///     interrupted one, before the first digest is added, and between transactions. An error that
  ///     it throws ends the import.
  /// - Throws: ``DigestStoreError``, with code `invalidInput` and the line number for an invalid
  ///   line; errors of `progress`.
  public func importDigests(
    fromFileDescriptor descriptor: Int32,
    skippingInvalid: Bool = false,
    progress: ((Progress) throws -> Void)? = nil
  ) throws -> ImportSummary {
    try importDigests(
      from: ImportSource(descriptor: descriptor), skippingInvalid: skippingInvalid,
      progress: progress)
  }

  /// Adds the digests of an NDJSON file, as
  /// ``importDigests(fromFileDescriptor:skippingInvalid:progress:)`` does.
  ///
  /// - Parameters:
  ///   - url: the URL of a file.
  ///   - skippingInvalid: whether to skip an invalid line instead of failing.
  ///   - progress: as for a file descriptor.
  /// - Throws: ``DigestStoreError``, with code `inputOutput` when the file cannot be opened, and with
  ///   code `invalidInput` and the line number for an invalid line; errors of `progress`.
  public func importDigests(
    from url: URL,
    skippingInvalid: Bool = false,
    progress: ((Progress) throws -> Void)? = nil
  ) throws -> ImportSummary {
    try importDigests(from: ImportSource(url), skippingInvalid: skippingInvalid, progress: progress)
  }

  /// Adds the digests of NDJSON in memory, such as the body of a request, as
  /// ``importDigests(fromFileDescriptor:skippingInvalid:progress:)`` does.
  ///
  /// - Throws: ``DigestStoreError``, with code `invalidInput` and the line number for an invalid
  ///   line.
  public func importDigests(_ data: Data, skippingInvalid: Bool = false) throws -> ImportSummary {
    try importDigests(from: ImportSource(data), skippingInvalid: skippingInvalid, progress: nil)
  }

  private func importDigests(
    from source: borrowing ImportSource,
    skippingInvalid: Bool,
    progress: ((Progress) throws -> Void)?
  ) throws -> ImportSummary {
    // Fails early if the store cannot be written.
    try write { _ in }
    let check = try Check(source, skippingInvalid: skippingInvalid, progress)
    return try add(source, check, skippingInvalid: skippingInvalid, progress)
  }

  /// Adds the digests of an NDJSON file to the store at a path, and makes a store if there is none.
  /// See ``importDigests(fromFileDescriptor:skippingInvalid:progress:)``.
  ///
  /// A new store appears at the path with the whole file in it, or not at all. Until then it is
  /// `<path>.draft-` and six characters. Only a process that dies leaves that file behind.
  ///
  /// - Parameters:
  ///   - descriptor: the open file, read from its current position to its end.
  ///   - path: the path of the store.
  ///   - configuration: how the store writes, and what it keeps.
  ///   - skippingInvalid: whether to skip an invalid line instead of failing.
  ///   - progress: called with the amount read or added: before each read, after a signal has
  ///     interrupted one, before the first digest is added, and between transactions. An error that
  ///     it throws ends the import.
  /// - Throws: ``DigestStoreError``, with code `invalidInput` and the line number for an invalid
  ///   line; errors of `progress`.
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

  /// Adds the digests of a file that was read once and is valid.
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
      guard count == check.records else { throw Check.changed }
      return nil
    }
    return ImportSummary(
      added: added, known: known, invalid: check.invalid, problems: check.problems)
  }
}

/// The result of reading a file for the first time.
private struct Check {
  let digests: Int

  /// The number of digests and of lines with decodes.
  let records: Int
  let length: Int
  let invalid: Int
  let problems: [String]

  /// Whether one transaction is enough.
  var isShort: Bool { records <= Addition.largestWhole && length <= 8 << 20 }

  init(
    _ source: borrowing ImportSource,
    skippingInvalid: Bool,
    _ progress: ((DigestReader.Progress) throws -> Void)?
  ) throws {
    var records = NDJSONReader(source.firstReading(progress), skippingInvalid: skippingInvalid)
    var counts = (digests: 0, records: 0)
    while let record = try records.next() {
      counts.records += 1
      if case .digest = record { counts.digests += 1 }
    }
    (digests, self.records) = counts
    length = records.lines.length
    invalid = records.invalid
    problems = records.problems
  }

  /// Reads a second time what was valid the first time.
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
