import ArgumentParser
import DigestStore

struct Digests: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "digests",
    abstract: "List the latest digests.",
    discussion: """
      The most recently written digest comes first. Filters select whole digests. digest-query show \
      prints the errors of one.

      Examples:
        digest-query digests --since 1h --model App.Listing
        digest-query show 7c1f36ab-1042
      """
  )

  /// The default number of digests.
  private static let listed = 20

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print at most n rows (default: 20).", valueName: "n"))
  var limit: Int?

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    try LimitOption.check(limit ?? Self.listed)
  }

  func printOutput() throws {
    var unreadable = 0
    try ReportRunner(
      store: store, filter: filters.filter, limit: limit ?? Self.listed, output: output
    )
    .print(about: .digests) {
      let list = try $0.readableDigests(matching: $1, limit: $2)
      unreadable = list.unreadable
      return list.digests
    }
    Note.write(unreadable: unreadable, in: store.name)
  }
}
