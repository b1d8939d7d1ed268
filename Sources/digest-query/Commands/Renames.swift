import ArgumentParser
import DigestStore

struct Renames: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "renames",
    abstract: "List keys that the backend has probably renamed.",
    discussion: """
      A rename is a pair of keys in the same object: old_path, which payloads lack, and \
      new_path, which the app does not know. Decodes of the same release had the old key before. \
      At least half of the digests with either key have both: digests counts these, old_digests \
      and new_digests those with one of the keys, and share is the share with both. first_seen \
      and first_release are of the first digest with both. If several pairs are possible, the \
      larger share wins, then the shorter time between the first digests of both keys, then \
      similar names. Pairs that are equal in all of this are all listed. --path selects either \
      key.

      A property whose name convertFromSnakeCase never makes, such as avatarURL for avatar_url, \
      is no rename: a line on stderr explains it.

      The app has to record both: see reportsMissingKeys and reportsUnknownKeys of the store's \
      configuration. The command reads the digests that the store still has.

      Examples:
        digest-query renames
        digest-query renames --release 4.2.0 --format csv
      """
  )

  private static let maximumExplained = 10

  @OptionGroup(title: "Filters") var filters: Filters<FiltersWithoutValues>
  @OptionGroup(title: "Output") var limit: LimitOption
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    guard filters.kinds.isEmpty, filters.values.isEmpty else {
      throw ValidationError("leave out --kind and --value: a rename has neither")
    }
  }

  func printOutput() throws {
    let report = ReportRunner(store: store, filter: filters.filter, limit: limit, output: output)
    var isRecorded = true
    var converted: [DigestStore.KeyRename] = []
    try report.print(about: .digests) { store, filter, limit in
      isRecorded = try store.hasRenameKeys()
      let found = try store.renamesAndConverted(matching: filter, limit: limit)
      converted = found.converted
      return found.renames
    }
    for pair in converted.prefix(Self.maximumExplained) { Note.write(pair.explanation) }
    if converted.count > Self.maximumExplained {
      Note.write("and \(converted.count - Self.maximumExplained) more such keys")
    }
    if !isRecorded {
      Note.write(
        "the store has no missing or no unknown keys; set reportsMissingKeys and "
          + "reportsUnknownKeys of its configuration")
    }
  }
}

extension DigestStore.KeyRename {
  /// Why the keys are no rename.
  fileprivate var explanation: String {
    let name = newPath.split(separator: ".").last.map(String.init) ?? newPath
    let words = name.split(separator: "_")
    let camelCased = words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    return "\(model): \(oldPath) is no rename to \(newPath): convertFromSnakeCase reads \(name) as "
      + "\(camelCased), so give the property that coding key"
  }
}

extension Substring {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
