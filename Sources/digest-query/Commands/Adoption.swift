import ArgumentParser
import DigestStore
import ResilientPlatform

struct AdoptionCommand: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "adoption",
    abstract: "Show the share of decodes by releases that never reported a value.",
    discussion: """
      For each day since a novel value was first seen, shows the model's decodes, the decodes by \
      releases that never reported the value (unaffected), and their share. For failures other than \
      novel values, leave out the value and use filters. A release with few decodes may not have met the value yet. A \
      release that reported it in another environment has reported it. stderr names the releases.

      Examples:
        digest-query adoption villa
        digest-query adoption villa --model App.Listing --since 30d --format csv
        digest-query adoption --path price --kind typeMismatch
      """
  )

  @Argument(
    help: "The novel value; * and ? are wildcards. Leave it out to choose by filters alone.")
  var value: String?

  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show only the n most frequent failures.", valueName: "n"))
  var limit = 10

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    try LimitOption.check(limit)
    guard value == nil, filters.paths.isEmpty, filters.values.isEmpty, filters.kinds.isEmpty
    else { return }
    throw ValidationError("name a value, or choose failures with --path, --kind or --value")
  }

  func printOutput() throws {
    var filter = filters.filter
    if let value { filter.novelValues.append(value) }
    var notes: [Note] = []
    let report = ReportRunner(
      store: store, filter: filter, limit: limit, output: output, noun: "failure")
    try report.answer { store, filter, limit in
      let found = try store.adoption(matching: filter, limit: limit)
      let window = DigestFilter(since: filter.since, until: filter.until)
      if try !found.isEmpty && store.decodeCounts(matching: window) == nil {
        notes = ["no decodes were counted: \(ReportRunner.howDecodesAreCounted)"]
      }
      return found
    } printing: { found in
      var printer = try RowPrinter<AdoptedDay>(output)
      for adoption in found {
        for day in adoption.days {
          try printer.print(AdoptedDay(failure: adoption.failure, day: day))
        }
      }
      try printer.finish()
      // Without decodes of any model, one note says so.
      if notes.isEmpty { notes = found.map { Note($0.sentence) } }
    }
    Note.write(notes)
  }
}
