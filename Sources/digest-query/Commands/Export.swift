import ArgumentParser
import DigestFleet
import DigestStore

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write digests as NDJSON for import, or occurrences as CSV or TSV for spreadsheets.",
    discussion: """
      NDJSON has one digest per line. Digests are always whole: --path, --kind and --value \
      select digests that contain such a failure. Without these filters, the decodes without \
      errors follow, one line for each hour, model and release. CSV and TSV have one occurrence \
      per line, and filters select occurrences; errors that a full digest only counted are one \
      line with their number, times. Lines end with LF.

      With --new NAME, for cron, the command exports only what was added since the last \
      export under that name. It saves the position once the output is complete. If a run is \
      killed, the next one exports the same digests again, and import recognizes those that \
      it already has. A later export does not return to digests that a filter has omitted. \
      The first export under a name begins with the oldest digest, and so does one of a store \
      that was replaced or restored; stderr says so.

      With --after ID, the command exports only digests that were written after that one, \
      whenever they were recorded. The command digests lists ids; any unambiguous beginning of \
      an id is enough. If this store recorded the digest and evicted it, the export still begins \
      after it, and stderr says how many later digests are missing. After an evicted digest that \
      was imported, the command fails: use --new for a store into which others are imported.

      Examples:
        digest-query export > digests.ndjson
        digest-query export --after 7c1f36ab-1042 > rest.ndjson
        digest-query export --format csv --since 7d --output drift.csv
        digest-query export --new backend --output drift-$(date +%F-%H%M).ndjson
      """
  )

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case ndjson, csv, tsv
  }

  @OptionGroup var new: IncrementalOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(help: "The format to write.")
  var format: Format = .ndjson

  @OptionGroup(title: "Output") var raw: RawOption
  @OptionGroup(title: "Output") var file: OutputFileOption
  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    var saveCursor: (() throws -> Void)?
    try file.redirectOutput { saveCursor = try export() }
    try saveCursor?()
  }

  /// - Returns: an action that saves where the export ended, to run once the output is complete and
  ///   in its place.
  private func export() throws -> (() throws -> Void)? {
    let store = try store.openForReading()
    let (filter, clock) =
      try new.name == nil && new.after == nil
      ? ReportRunner.endingNow(filters.filter, in: store) : (filters.filter, [])
    guard new.name == nil && new.after == nil || FleetURL.keepsArrivalOrder(store.path) else {
      throw ExitFailure.usage(
        "ClickHouse does not keep the order in which digests arrived; export a window with --since")
    }
    guard let name = new.name else {
      let part = try new.after.map { try self.part(after: $0, in: store) }
      let isEmpty = try !export(from: store, matching: filter, in: part)
      try noteEmptiness(of: store, matching: filter, isEmpty: isEmpty)
      if let part {
        try noteLosses(of: store, matching: filter, in: part)
      } else {
        try Note.write(ReportRunner.losses(of: store, matching: filter, about: .export) + clock)
      }
      return nil
    }
    let file = try new.named.file(of: self.store)
    let part = try store.exportPart(after: file.cursor(ofExport: name))
    // No note if nothing is new: cron would mail it.
    _ = try export(from: store, matching: filter, in: part)
    try Note.write(ReportRunner.mistakes(in: filter, of: store, isEmpty: false))
    noteBeginning(of: part, name, in: file)
    try noteLosses(of: store, matching: filter, in: part)
    return {
      try StandardOutput.synchronize()
      try file.save(part.end, ofExport: name)
    }
  }

  /// - Returns: whether anything was written.
  private func export(
    from store: DigestReader,
    matching filter: DigestFilter,
    in part: DigestStore.IncrementalExport? = nil
  ) throws -> Bool {
    // Progress would mix with the lines on a terminal.
    let line = StandardOutput.isTerminal ? nil : ProgressLine("exporting")
    defer { line?.erase() }
    var output = StandardOutput()
    var isEmpty = true
    guard format != .ndjson else {
      let summary = try store.exportLines(matching: filter, in: part, progress: line?.show) {
        isEmpty = isEmpty && $0.isEmpty
        try output.sendJSON($0)
      }
      Note.write(unreadable: summary.unreadable, in: store.path)
      return !isEmpty
    }
    output.write(
      raw.beginning
        + DigestStore.Occurrence.columns.map(\.name).joined(separator: format == .tsv ? "\t" : ",")
        + "\n")
    // At once, because the first occurrence may take long to find.
    try output.flush(force: true)
    let encoding = SeparatedValues(isRaw: raw.isRaw, isForTerminal: StandardOutput.isTerminal)
      .encoding(isTSV: format == .tsv)
    let summary = try store.exportRows(
      matching: filter, in: part, as: encoding, progress: line?.show
    ) {
      isEmpty = isEmpty && $0.isEmpty
      try output.send($0)
    }
    Note.write(unreadable: summary.unreadable, in: store.path)
    return !isEmpty
  }

  /// The digests written after the one whose id is, or begins with, a text.
  private func part(after id: String, in store: DigestReader) throws
    -> DigestStore.IncrementalExport
  {
    if let part = try store.exportPart(afterDigest: id) { return part }
    guard let whole = try self.store.wholeID(id, in: store),
      let part = try store.exportPart(afterDigest: whole)
    else {
      throw self.store.noDigest(
        id,
        remedy: "omit --after to export all remaining digests: an import skips those it has"
      )
    }
    return part
  }

  /// Writes a note if a part does not begin where the last export of this name ended.
  private func noteBeginning(
    of part: DigestStore.IncrementalExport, _ name: String, in file: CursorFile
  ) {
    switch part.beginning {
    case .behindCursor: break
    case .first:
      let beginning =
        "\(file.path) has no earlier export named \(name): this one begins with the oldest digest"
      let suggestion = name.suggestion(among: file.exports)
      Note.write([beginning, suggestion].compactMap(\.self).joined(separator: "; "))
    case .firstOfAnotherStore:
      Note.write(
        "\(name) starts over: this is not the store that was exported last; if that one was "
          + "moved or set aside, export it with --store too: an import counts no digest twice")
    case .firstOfRestoredStore:
      Note.write(
        "\(name) starts over: the store no longer contains what was exported last, as after "
          + "restoring a backup; an import counts no digest twice")
    }
  }

  /// Writes notes about mistakes in a filter and, if nothing was written, why that is so.
  private func noteEmptiness(
    of store: DigestReader, matching filter: DigestFilter, isEmpty: Bool
  ) throws {
    if isEmpty, !filters.isEmpty { Note.write("nothing found that matches") }
    try Note.write(ReportRunner.mistakes(in: filter, of: store, isEmpty: isEmpty))
  }

  /// Writes notes about what a part omits.
  private func noteLosses(
    of store: DigestReader, matching filter: DigestFilter, in part: DigestStore.IncrementalExport
  ) throws {
    let evicted = try store.evictedDigests(of: part)
    if part.evicted > 0 {
      Note.write("not exported: \(part.evicted.counting("digest")) (evicted before this export)")
    }
    if evicted > part.evicted {
      let count = (evicted - part.evicted).counting("digest")
      Note.write("perhaps not exported: \(count) (evicted during this export)")
    }
    // Losses that earlier exports have reported are not repeated, except those of the hour in which
    // they ended.
    var filter = filter
    filter.since = [filter.since, part.lastExported].compactMap { $0 }.max()
    try Note.write(ReportRunner.losses(of: store, matching: filter, about: .newDigests))
  }
}
