import ArgumentParser
import DigestStore

struct TopFailures: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "top-failures",
    abstract: "List the most frequent failures by model, coding path, kind and value.",
    discussion: """
      The most frequent failure comes first; novel values are failures too. Conversions \
      (converted), missing keys that a model does not require (missingKey) and unknown keys \
      (unknownKey) aren't errors: they are listed only with --kind. Counts are exact under every \
      filter. first_seen, last_seen and first_release are of all time, in the chosen releases, \
      whatever --since and --until say. found_type and found_value are a sample from one payload, \
      renewed about once a day; a table has them, or the novel value, as found. rate is the share of \
      the model's decodes with the failure, in whole hours, and id names the failure in every store.

      Examples:
        digest-query top-failures --limit 10
        digest-query top-failures --release 4.2.0 --since 7d --format markdown
      """
  )

  @OptionGroup(title: "Output") var limit: LimitOption
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func printOutput() throws {
    let report = ReportRunner(
      store: store, filter: filters.filter, limit: limit.limit, output: output)
    try report.print(triagedBy: triage) { try $0.failures(matching: $1, limit: $2) }
  }
}
