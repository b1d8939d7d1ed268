import ArgumentParser
import DigestStore

struct Models: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Which models suffer, and what share of the digests is theirs?",
    discussion: """
      The most errors first. digests are those with at least one of a model's errors, share is the \
      part that they are of the digests of all models, from 0 to 1 and in the table in percent. \
      failures and novel_values are how many different ones there were. Counts are exact under \
      every filter; what cannot be told is left empty, and stderr says why.

      Examples:
        digest-query models --since 7d
        digest-query models --release 4.2.0 --format csv
      """
  )

  @OptionGroup var filters: FilterOptions
  @OptionGroup var limit: LimitOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func printOutput() throws {
    var isUnknown = false
    try ReportRunner(store: store, filters: filters, limit: limit, output: output).print {
      store, filter, limit in
      let models = try store.models(matching: filter, limit: limit)
      isUnknown = models.contains { $0.share == nil }
      return models
    }
    if isUnknown { Note.write(ReportRunner.whyDigestsAreUnknown) }
  }
}
