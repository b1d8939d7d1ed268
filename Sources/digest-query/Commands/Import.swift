import ArgumentParser
import DigestStore
import ResilientPlatform

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add the digests of an NDJSON export. No digest is counted twice.",
    discussion: """
      If a line is bad, nothing of the file is imported. A line without an id is a new digest \
      each time. A store that does not exist is created, and appears once it contains all of \
      the file. The store keeps the id of each imported digest, some 130 bytes with the index, \
      so it may take two to four times the space of the exported store. Ids of deleted digests are \
      kept too; if a size limit leaves no room for them, the oldest are dropped, and prune says so.

      A line has at least these members:
        {"recordedAt": "2026-11-20T10:00:00Z", "model": "App.Home",
         "failures": [{"path": "kind", "kind": "typeMismatch"}]}
      Import also adds the lines of decodes without errors that export writes.

      Examples:
        digest-query import digests.ndjson
        ssh server digest-query export | digest-query import -
      """
  )

  @Argument(help: "The file to import; - is stdin.", completion: .file())
  var file: String

  @Flag(help: "Skip bad lines and report how many.")
  var skipInvalid = false

  @OptionGroup var store: StoreOptions

  func run() throws {
    let descriptor = try openFile()
    let path = store.path
    let job = InterruptibleJob("importing", into: path, remedy: "import the file again")
    defer { job.end() }
    let summary: DigestStore.ImportSummary
    do {
      summary = try DigestStore.importDigests(
        fromFileDescriptor: descriptor,
        intoStoreAt: path,
        configuration: .forImport(into: path),
        skippingInvalid: skipInvalid,
        progress: job.show
      )
    } catch let error as DigestStoreError where error.code == .invalidInput {
      throw Failure.badInput(
        "\(file): \(error.description); nothing was imported, --skip-invalid imports the rest"
      )
    }
    job.end()
    for problem in summary.problems { Note.write("\(file): left out \(problem)") }
    try StandardOutput.print(
      "imported \(summary.added.counting("digest")), \(summary.known) were there already, "
        + "\(summary.invalid.counting("line")) left out")
  }

  /// Opens the file before the store, so that a wrong name creates no store.
  private func openFile() throws -> Int32 {
    guard file != "-" else { return STDIN_FILENO }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    // Only reading detects a directory, and reading 0 bytes is enough.
    guard descriptor >= 0, read(descriptor, nil, 0) == 0 else {
      let reason = String(cString: strerror(errno))
      throw Failure.missing("\(file): \(reason); name an NDJSON file, or - for stdin")
    }
    return descriptor
  }
}
