import ArgumentParser
import DigestStore

struct Renames: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "renames",
    abstract: "List keys that the backend has probably renamed.",
    discussion: """
      A rename is a key that payloads lack, old_path, and a key that the app does not know, \
      new_path, in the same object: at least nine in ten digests with one of them have both. \
      digests counts these digests; first_seen and first_release are of the first of them. Of \
      several possible pairs, those with similar names exclude the others. --path selects \
      either key.

      The app has to record both: see reportsMissingKeys and reportsUnknownKeys of the store's \
      configuration. The command reads the digests that the store still has.

      Examples:
        digest-query renames
        digest-query renames --release 4.2.0 --format csv
      """
  )

  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Output") var limit: LimitOption
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    guard filters.kinds.isEmpty, filters.values.isEmpty else {
      throw ValidationError("leave out --kind and --value: a rename has neither")
    }
  }

  func printOutput() throws {
    let report = ReportRunner(store: store, filters: filters, limit: limit, output: output)
    var isRecorded = true
    try report.print(about: .digests) { store, filter, limit in
      isRecorded = try store.hasRenameKeys()
      return try store.renames(matching: filter, limit: limit)
    }
    if !isRecorded {
      Note.write(
        "the store has no missing or no unknown keys; set reportsMissingKeys and "
          + "reportsUnknownKeys of its configuration")
    }
  }
}
