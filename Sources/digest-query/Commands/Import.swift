import ArgumentParser
import DigestStore
import ResilientPlatform

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add the digests of an NDJSON export. No digest is counted twice.",
    discussion: """
      If a line is bad, nothing of the file is imported. A digest that the store has is skipped, \
      and so is one that it had and deleted, if its id is from an export. A line without an id is \
      a new digest each time. The part of an id before its first hyphen, 32 hexadecimal digits, names \
      the store that recorded the digest; what is imported is counted as this store's own. A store \
      that does not exist is created once the file is read.

      A line has at least these members:
        {"recordedAt": "2026-11-20T10:00:00Z", "model": "App.Home",
         "errors": [{"path": "kind", "kind": "typeMismatch"}]}
      Import also adds the lines of decodes without errors that export writes. Errors beyond a \
      limit of the store, such as its number of novel values, are counted together; stderr says \
      how many.

      Examples:
        digest-query import digests.ndjson
        ssh server digest-query export | digest-query import -
      """
  )

  @Argument(help: "The file to import; - is stdin.", completion: .file())
  var file: String

  @Flag(help: "Skip bad lines and report how many.")
  var skipInvalid = false

  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    let descriptor = try openFile()
    let name = file == "-" ? "standard input" : file
    let path = try store.file
    let job = InterruptibleJob("importing") {
      "\($0.done) of \($0.total ?? $0.done) digests were added; import the file again: those with "
        + "an id are not added twice"
    }
    defer { job.end() }
    let summary: DigestStore.ImportSummary
    do {
      summary = try DigestStore.importDigests(
        fromFileDescriptor: descriptor,
        intoStoreAt: path,
        configuration: .forImport,
        skippingInvalid: skipInvalid,
        progress: job.show
      )
    } catch let error as DigestStoreError where error.code == .invalidInput {
      throw ExitFailure.badInput(
        "\(name): \(error.description)"
          + (error.line == nil ? "" : "; nothing was imported, --skip-invalid imports the rest"))
    }
    job.end()
    for problem in summary.problems { Note.write("\(name): left out \(problem)") }
    try StandardOutput.print(
      "imported \(summary.added.counting("digest")), \(summary.known) were there already, "
        + (summary.decodes > 0 ? "read \(summary.decodes.counting("decode")) without errors, " : "")
        + "\(summary.invalid.counting("line")) left out")
    if summary.evicted > 0 {
      Note.write(
        "\(summary.evicted) of these are taken for deleted, because the store has deleted digests with "
          + "the same or later numbers; import the parts of an export in order")
    }
  }

  /// Opens the file before the store, so that a wrong name creates no store.
  private func openFile() throws -> Int32 {
    guard file != "-" else { return STDIN_FILENO }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    // Only reading detects a directory, and reading 0 bytes is enough.
    guard descriptor >= 0, read(descriptor, nil, 0) == 0 else {
      throw ExitFailure.input(file, errno, "name an NDJSON file, or - for stdin")
    }
    return descriptor
  }
}
