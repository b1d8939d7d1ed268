import ArgumentParser
import DigestStore

/// The beginning of an incremental export: the end of an earlier export, or a digest.
struct IncrementalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only what was added since the last export under this name, which you choose.",
      valueName: "name"))
  var new: String?

  @Option(
    help: ArgumentHelp(
      "The file with the positions of exports (default: the store's path with .cursors appended).",
      valueName: "file"),
    completion: .file()
  )
  var state: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only digests written after this one. The command digests lists ids.", valueName: "id"))
  var after: String?

  func validate() throws {
    if after?.isEmpty == true { throw ValidationError("--after is empty: give it an id") }
    if after != nil, new != nil {
      throw ValidationError("--after and --new both say where to begin: give one of them")
    }
    if new?.isEmpty == true { throw ValidationError("--new is empty: give the export a name") }
    if state?.isEmpty == true { throw ValidationError("--state is empty: name a file") }
    if state != nil, new == nil {
      throw ValidationError("--state is for --new NAME: give that too, or leave it out")
    }
  }
}
