import ArgumentParser
import DigestStore

struct TopNovelValues: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "top-novel-values",
    abstract: "List the values that the backend sends and the app does not know.",
    discussion: """
      The most frequent value comes first. Counts are exact under every filter. A window is \
      exact to the millisecond; if it begins or ends in a time whose digests were deleted, it \
      is widened to whole hours or days, and stderr says so. first_seen, last_seen and \
      first_release are of all time, in the chosen releases, whatever --since and --until say: \
      they tell an old value from a new one.

      Examples:
        digest-query top-novel-values --since 24h
        digest-query top-novel-values --model 'App.*' --format csv
      """,
    aliases: ["top"]
  )

  @OptionGroup(title: "Output") var limit: LimitOption
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func printOutput() throws {
    let report = ReportRunner(
      store: store, filter: filters.filter, limit: limit.limit, output: output,
      omittedColumns: ["kind", "expected_type", "found_type", "found_value"])
    var isOfOtherKinds = false
    try report.print(triagedBy: triage) { store, filter, limit in
      let rows = try store.novelValues(matching: filter, limit: limit)
      isOfOtherKinds =
        try rows.isEmpty && !filter.kinds.isEmpty && store.occurrences(matching: filter) > 0
      return rows
    }
    if isOfOtherKinds { Note.write("no error of this kind has a novel value; see top-failures") }
  }
}
