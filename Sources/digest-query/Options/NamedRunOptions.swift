import ArgumentParser

/// The name of a command's runs, each of which begins where the one before it ended.
struct NamedRunOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only what is new since the last run under this name, which you choose.",
      valueName: "name"))
  var new: String?

  @Option(
    help: ArgumentHelp(
      "The file with the positions of named runs (default: the store's path with .cursors appended).",
      valueName: "file"),
    completion: .file()
  )
  var state: String?

  func validate() throws {
    if new?.isEmpty == true { throw ValidationError("--new is empty: give it a name") }
    if state?.isEmpty == true { throw ValidationError("--state is empty: name a file") }
    if state != nil, new == nil {
      throw ValidationError("--state is for --new NAME: give that too, or leave it out")
    }
  }
}
