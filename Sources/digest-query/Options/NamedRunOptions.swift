import ArgumentParser
import DigestFleet
import DigestStore

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

  /// Opens the file with the positions.
  ///
  /// - Throws: a ``Failure`` if it cannot be used, or if a store on a server has none.
  func file(of store: StoreOptions) throws -> CursorFile {
    guard state != nil || !FleetURL.isFleet(store.path) else {
      throw Failure.usage("\(store.name) is no file: say where --new is kept with --state FILE")
    }
    return try CursorFile(state ?? "\(store.path).cursors")
  }
}
