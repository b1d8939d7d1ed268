import ResilientDecoding
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

    /// The number of errors in added digests that are counted as others, because there are too many
    /// values, failures or errors: see ``DigestReader/reachedLimits(matching:)``.
    public let limited: Int

    /// Creates a value, for example for a test or a preview.
    public init(
      added: Int, known: Int, invalid: Int, problems: [String], limited: Int = 0
    ) {
      self.added = added
      self.known = known
      self.invalid = invalid
      self.problems = problems
      self.limited = limited
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
  /// Digests are added in many short transactions, so that apps can write in between. If one of them
  /// fails, for example because the disk is full, the error says how many digests were added.
  /// Importing the file again adds the rest.
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

  /// Adds the digests of an NDJSON file to the store at a path, and makes a store if there is none.
  /// See ``importDigests(fromFileDescriptor:skippingInvalid:progress:)``.
  ///
  /// No store is made if a line is invalid.
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
    let check =
      FileIdentity.isMissing(path)
      ? try ImportCheck(source, skippingInvalid: skippingInvalid, progress) : nil
    return try withStore(at: path, configuration) { store in
      try store.importDigests(
        from: source, check, skippingInvalid: skippingInvalid, progress: progress)
    }
  }

  /// - Parameter check: the result of the first reading, if the source was read.
  private func importDigests(
    from source: borrowing ImportSource,
    _ check: ImportCheck? = nil,
    skippingInvalid: Bool,
    progress: ((Progress) throws -> Void)?
  ) throws -> ImportSummary {
    // Fails early if the store cannot be written.
    let identity = try write { try $0.identityOfFile() }
    let check = try check ?? ImportCheck(source, skippingInvalid: skippingInvalid, progress)
    var records = NDJSONReader(
      try source.secondReading(length: check.length), skippingInvalid: skippingInvalid)
    var read = 0
    var count = ImportCount()
    do {
      while true {
        try progress?(Progress(unit: .digests, done: count.digests, total: check.digests))
        let batch = try nextBatch(of: &records)
        guard !batch.records.isEmpty else { break }
        read += batch.records.count
        count.limited += batch.others
        count += try write { try Importer($0, identity).add(batch.records) }
        // In steps of their own. The next report need not count these digests one by one.
        while try write({ writer in
          try writer.checkIdentity(identity)
          return try writer.fold.run()
        }) > 0 {}
      }
      guard read == check.records else { throw ImportCheck.changed }
    } catch let error as DigestStoreError where count.digests > 0 && error.code != .damaged {
      throw DigestStoreError(
        error.code,
        "\(error.description); \(count.digests) of \(check.digests) digests are in, import the file "
          + "again: those with an id are not added twice"
      )
    }
    return ImportSummary(
      added: count.added, known: count.known, invalid: check.invalid, problems: check.problems,
      limited: count.limited)
  }

  /// Reads the records of the next transaction, with their errors redacted and bounded.
  ///
  /// - Returns: the records, and how many errors exceed the size of a digest.
  private func nextBatch(
    of records: inout NDJSONReader
  ) throws -> (records: [ImportedRecord], others: Int) {
    let limit = ValueLimit(configuration.maximumValueLength)
    let start = records.lines.length
    var batch: [ImportedRecord] = []
    var (size, others) = (0, 0)
    while size < Importer.maximumSize, records.lines.length - start < Importer.maximumLength,
      let record = try ImportCheck.sameAgain({ try records.next() })
    {
      size += record.size
      guard case .digest(let whole) = record else {
        batch.append(record)
        continue
      }
      let digest = redacted(whole)
      let bounded = digest.bounded(by: limit)
      others += bounded.others - digest.others
      batch.append(.digest(bounded))
    }
    return (batch, others)
  }
}

extension DigestRecord {
  /// The number of errors that ``bounded(by:)`` or a payload counts without a path.
  fileprivate var others: Int {
    failures.sum { $0.kind == .other && $0.path.components.isEmpty ? $0.times : 0 }
  }
}

/// The result of reading a file for the first time.
struct ImportCheck {
  let digests: Int

  /// The number of digests and of lines with decodes.
  let records: Int
  let length: Int
  let invalid: Int
  let problems: [String]

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
