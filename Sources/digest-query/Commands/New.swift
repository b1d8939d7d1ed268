import ArgumentParser
import DigestStore

struct New: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "List failures first seen since a time, or in a release.",
    discussion: """
      With --since, a failure is new if it did not occur before that time, in any release. With \
      --release, it is new if it occurs in that release and never occurred in an older one. \
      Releases are ordered by Semantic Versioning, not by time: 4.2.0-beta.2, 4.2.0, 4.10.0. A \
      name that is not a version is older than every version. With both options, both must \
      hold. Columns, order and the kinds that are left out are those of top-failures; \
      --value '*' keeps those with a novel value.

      Examples:
        digest-query new --since 24h
        digest-query new --release 4.2.0
        digest-query new --value '*' --since 2026-11-20 --format csv
      """
  )

  @OptionGroup(title: "Output") var limit: LimitOption
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    try filters.validateForNew()
  }

  func printOutput() throws {
    let report = ReportRunner(
      store: store, filter: filters.filter, limit: limit.limit, output: output)
    try report.print(triagedBy: triage) { try $0.newFailures(matching: $1, limit: $2) }
  }
}
