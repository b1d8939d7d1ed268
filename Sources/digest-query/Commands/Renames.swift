import ArgumentParser
import DigestStore

struct Renames: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "renames",
    abstract: "List keys that the backend may have renamed.",
    discussion: """
      A row is a pair of keys in the same object: old_path, which payloads lack, and new_path, which \
      the app does not know. digests counts the digests with both, and share is their share of the \
      model's decodes, in whole hours. was_there says whether an earlier decode of the model had the \
      old key: true for a rename, false for a key that never came. Both are empty if the app did not \
      count decodes then. first_seen and first_release are of the first digest with both.

      Keys that only sometimes come together are left out: at least half of the digests with either \
      key have both. To see a rename that is rarer, choose its time or its release. --path selects \
      either key.

      A property such as avatarURL, whose name convertFromSnakeCase never makes of avatar_url, is \
      listed, too: give it a coding key.

      The app has to record both: see reportsMissingKeys and reportsUnknownKeys of the store's \
      configuration. The command reads the digests that the store still has.

      Examples:
        digest-query renames
        digest-query renames --since 24h
        digest-query renames --release 4.2.0 --format csv
      """
  )

  @OptionGroup(title: "Output") var limit: LimitOption
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: Filters<FiltersWithoutValues>
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    guard filters.kinds.isEmpty, filters.values.isEmpty else {
      throw ValidationError("leave out --kind and --value: a rename has neither")
    }
  }

  func printOutput() throws {
    let report = ReportRunner(
      store: store, filter: filters.filter, limit: limit.limit, output: output)
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
