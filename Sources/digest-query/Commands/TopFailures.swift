import ArgumentParser
import DigestStore

struct TopFailures: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "top-failures",
    abstract: "List the most frequent failures by model, coding path, kind and value.",
    discussion: """
      The most frequent failure comes first; novel values are failures too. Counts are exact \
      under every filter. found_type and found_value are a sample: what the payload contained \
      at the first occurrence for which that is known, or at a later one once prune or an age \
      limit has deleted that value.

      Examples:
        digest-query top-failures --limit 10
        digest-query top-failures --release 4.2.0 --since 7d --format markdown
      """
  )

  @OptionGroup var filters: FilterOptions
  @OptionGroup var limit: LimitOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func printOutput() throws {
    try ReportRunner(store: store, filters: filters, limit: limit, output: output).print {
      try $0.failures(matching: $1, limit: $2)
    }
  }
}
