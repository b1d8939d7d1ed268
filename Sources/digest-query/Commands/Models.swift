import ArgumentParser
import DigestStore

struct Models: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "List the models, their errors, and their share of the digests.",
    discussion: """
      The model with the most errors comes first; without --path, --kind and --value, models \
      that never failed are listed too. digests is the number of the model's digests with at \
      least one error. share is the model's share of all these digests, from 0 to 1; a table \
      shows it in percent. failures and novel_values count distinct ones. Conversions, missing \
      keys and unknown keys count only if --kind names them. Of failures that digest-query triage has \
      ignored or resolved, occurrences, failures and novel_values do not count, unless --all is given; \
      digests, share and rate do, and so do the times of a model that has others. first_seen and last_seen are of all \
      time, in the chosen releases, of the failures that match and occur in the window. Counts \
      are exact under every filter. An unknown count is left empty, and stderr says why.

      decodes is the number of times the model was decoded, with and without errors, and rate is \
      the share of them with at least one error. Decodes are counted by the hour: both are of \
      whole hours, from the first hour in which the app counted decodes. They are empty if it did \
      not.

      With --by, each release, environment, operation or source of a model has a row, and its name \
      is in a column of its own. A source is a store of a fleet, by its name or else its identity.

      Examples:
        digest-query models --since 7d
        digest-query models --by operation
        digest-query models --by source --value villa --store /srv/fleet.sqlite
        digest-query models --release 4.2.0 --format csv
      """
  )

  @Option(
    help: ArgumentHelp(
      "Count each release, environment, operation or source of a model separately.",
      valueName: "name"),
    completion: .list(DigestStore.ContextName.names),
    transform: DigestStore.ContextName.init(argument:))
  var by: DigestStore.ContextName?

  @OptionGroup(title: "Output") var limit: LimitOption
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func printOutput() throws {
    var isUnknown = false
    let report = ReportRunner(
      store: store, filter: filters.filter, limit: limit.limit, output: output)
    var hidden: Note?
    let ask = { (store: DigestReader, filter: DigestFilter, limit: Int?) in
      var models = try store.models(matching: filter, by: by)
      let triage = try triage.triage(of: store)
      let decided = try triage.hidden { try store.failures(matching: $0(filter)) }
      if !decided.isEmpty {
        models = try models.without(
          store.models(matching: store.filter(filter, of: decided), by: by))
        hidden = triage.note("not counted", of: decided)
      }
      models = Array(models.prefix(limit ?? .max))
      isUnknown = models.contains { $0.share == nil && $0.digests != 0 }
      return models
    }
    try report.answer(ask, hasRates: true, byContexts: by != nil, hidden: hidden) { models in
      var table = DigestStore.ModelCount.tableColumns
      table.insert(contentsOf: nameColumns, at: 1)
      var printer = try RowPrinter(
        DigestStore.ModelCount.columns + nameColumns, table: table, output)
      for model in models { try printer.print(model) }
      try printer.finish()
    }
    if isUnknown { Note.write(ReportRunner.whyDigestsAreUnknown) }
  }

  /// The column for the names of `--by`.
  private var nameColumns: [Column<DigestStore.ModelCount>] {
    by.map { [.text($0.rawValue) { $0.contextName }] } ?? []
  }
}
