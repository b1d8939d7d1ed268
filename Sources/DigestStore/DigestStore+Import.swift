public import ResilientPlatform

extension DigestStore {
  /// The result of an import.
  public struct ImportSummary: Sendable, Hashable, Codable {
    /// The number of digests added.
    public let added: Int

    /// The number of digests that the store already had, by id.
    public let known: Int

    /// The number of ``known`` digests that are no longer in the store, or never were: they have
    /// lower numbers than one of the same store that was evicted.
    public internal(set) var evicted = 0

    /// The number of decodes without errors that the file counts, also of those that the store had.
    public internal(set) var decodes = 0

    /// The number of lines skipped because they are not digests.
    public let invalid: Int

    /// The problems of the first ten skipped lines, as in `line 3: model is missing`.
    public let problems: [String]
  }
}

extension DigestStore {
  /// Adds the digests of an NDJSON file as written by
  /// ``DigestReader/exportDigests(matching:in:to:)``.
  ///
  /// Imports the whole file, or nothing if it has an invalid line: all lines are checked before the
  /// first is added. Until then they are kept in a temporary file of the same length, in `TMPDIR` or
  /// `/var/tmp`.
  ///
  /// A digest with an id that the store has is skipped, and so is a digest with a number up to that
  /// of an evicted digest of the same store. So importing a file twice changes nothing, but import
  /// the parts of an export in their order. A digest with an id of another form is added again once
  /// it was evicted, and a digest without an id each time. Empty lines are skipped.
  ///
  /// A large file is imported in many short transactions, so that apps can write in between. If one
  /// of them fails, for example because the disk is full, the error says how many digests were
  /// added. Repeating the import adds the rest.
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
    // Fails early if the store cannot be written.
    try write { _ in }
    let lines = try LineReader(descriptor: descriptor, progress)
    return try add(CheckedImport(lines, skippingInvalid: skippingInvalid), progress)
  }

  /// Adds the digests of an NDJSON file, as
  /// ``importDigests(fromFileDescriptor:skippingInvalid:progress:)`` does.
  ///
  /// - Parameters:
  ///   - url: the URL of a file.
  ///   - skippingInvalid: whether to skip an invalid line instead of failing.
  ///   - progress: as for a file descriptor.
  /// - Throws: ``DigestStoreError``, with code `inputOutput` when the file cannot be opened, and
  ///   with code `invalidInput` and the line number for an invalid line; errors of `progress`.
  public func importDigests(
    from url: URL,
    skippingInvalid: Bool = false,
    progress: ((Progress) throws -> Void)? = nil
  ) throws -> ImportSummary {
    guard url.isFileURL else {
      throw DigestStoreError(.inputOutput, "\(url) is not the URL of a file")
    }
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw DigestStoreError(.inputOutput, "\(url.path): \(String(cString: strerror(errno)))")
    }
    defer { _ = systemClose(descriptor) }
    return try importDigests(
      fromFileDescriptor: descriptor, skippingInvalid: skippingInvalid, progress: progress)
  }

  /// Adds the digests of NDJSON in memory, such as the body of a request, as
  /// ``importDigests(fromFileDescriptor:skippingInvalid:progress:)`` does.
  ///
  /// - Throws: ``DigestStoreError``, with code `invalidInput` and the line number for an invalid
  ///   line.
  public func importDigests(_ data: Data, skippingInvalid: Bool = false) throws -> ImportSummary {
    try add(CheckedImport(data, skippingInvalid: skippingInvalid), nil)
  }

  /// Adds the digests of an NDJSON file to the store at a path, and makes a store if there is none.
  /// See ``importDigests(fromFileDescriptor:skippingInvalid:progress:)``.
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
    // Fails before a store is made.
    let checked = try CheckedImport(
      LineReader(descriptor: descriptor, progress), skippingInvalid: skippingInvalid)
    let store = try DigestStore(path: path, configuration: configuration)
    do {
      let summary = try store.add(checked, progress)
      try store.close()
      return summary
    } catch {
      try? store.close()  // The first error says more.
      throw error
    }
  }

  /// Adds the digests of an import whose lines are good.
  private func add(
    _ checked: CheckedImport, _ progress: ((Progress) throws -> Void)?
  ) throws -> ImportSummary {
    let identity = try write { $0.identity }
    var (counts, unfolded) = (ImportCounts(), 0)
    do {
      var isAtEnd = false
      while !isAtEnd {
        try progress?(
          Progress(unit: .digests, done: counts.added + counts.known, total: checked.digests))
        let batch = try checked.next(Self.maximumBatch).map(redacted)
        isAtEnd = batch.isEmpty
        if !isAtEnd {
          let now = Moment(configuration.clock())
          let step = try write { writer in
            try writer.transaction { try writer.appendNew(batch, now: now) }
          }
          counts += step
          unfolded += step.added
        }
        // Folds now, so that the next report does not have to, and in steps that others can write
        // between. A fold rewrites most pages of the counts, so many digests share one.
        guard isAtEnd || unfolded >= Fold.maximumImported else { continue }
        while try step({ try $0.foldSome(limit: Fold.maximumImported) }) {}
        unfolded = 0
      }
    } catch let error as DigestStoreError where counts.added + counts.known > 0 {
      throw DigestStoreError(
        error.code,
        "\(error.description); \(counts.added + counts.known) of \(checked.digests) digests are in, import the file "
          + "again: those with an id are not added twice")
    }
    guard try write({ $0.identity }) == identity else {
      throw DigestStoreError(
        .damaged, "\(path): the file was set aside during the import; import again")
    }
    return ImportSummary(
      added: counts.added, known: counts.known, evicted: counts.evicted,
      decodes: checked.decodes, invalid: checked.invalid, problems: checked.problems)
  }

  /// Adds the digests of several imports in memory in one transaction. The store's thread counts
  /// them.
  ///
  /// If that fails, adds each in a transaction of its own, so that one does not make the others
  /// fail.
  ///
  /// - Parameter imports: what to add, and the most stores from which nothing was imported before.
  ///   An import of more fails with the code `tooManyStores`.
  package func add(
    _ imports: [(lines: CheckedImport, newStores: Int)]
  ) -> [Swift.Result<ImportCounts, any Error>] {
    let now = Moment(configuration.clock())
    do {
      let (counts, due) = try write { writer in
        let counts = try writer.transaction {
          try imports.map { lines, newStores in
            // The store may repeat this with another connection.
            lines.rewind()
            var counts = ImportCounts()
            while case let batch = try lines.next(Self.maximumBatch).map(self.redacted),
              !batch.isEmpty
            {
              counts += try writer.appendNew(
                batch, now: now, newStores: newStores - counts.newStores)
            }
            return counts
          }
        }
        return (counts, writer.due(try writer.lastDigest()))
      }
      maintenance.request(due)
      return counts.map { .success($0) }
    } catch {
      // A file that is busy or full fails each of them, and each would wait for it.
      let isTemporary = (error as? DigestStoreError)?.isTemporary == true
      guard imports.count > 1, !isTemporary else { return imports.map { _ in .failure(error) } }
      return imports.flatMap { add([$0]) }
    }
  }

  /// The number of errors and digests that one transaction adds: up to some 0.2 s, like a fold.
  /// Smaller transactions write the pages of failures again and again.
  private static let maximumBatch = 20_000

  private func redacted(_ record: ImportedRecord) -> ImportedRecord {
    guard let redact = configuration.redact, case .digest(let digest) = record else {
      return record
    }
    return .digest(digest.redacted(by: redact))
  }
}

/// `close(2)`, whose name is hidden by a method.
private let systemClose = close
