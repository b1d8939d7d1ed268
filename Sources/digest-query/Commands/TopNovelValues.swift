import ArgumentParser
import DigestStore

struct TopNovelValues: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top-novel-values",
    abstract: "Which values does the backend send that the app does not know?",
    discussion: """
      The most frequent first. Counts are exact under every filter, to the millisecond.

      Examples:
        digest-query top-novel-values --since 24h
        digest-query top-novel-values --model 'App.*' --format csv
      """
  )

  @OptionGroup var filters: FilterOptions
  @OptionGroup var limit: LimitOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    try Report(store: store, filters: filters, limit: limit, output: output).print {
      try $0.novelValues(matching: $1, limit: $2)
    }
  }
}
