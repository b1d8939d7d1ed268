import ArgumentParser

/// The name under which runs remember what they have exported or reported.
struct NamedRunOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only what no earlier run under this name has exported or reported. You choose the name.",
      valueName: "name"))
  var new: String?

  @Option(
    help: ArgumentHelp(
      "The file of the named runs (default: the store's path with .cursors appended).",
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
