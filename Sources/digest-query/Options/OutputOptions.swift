import ArgumentParser

/// How a report is printed.
struct OutputOptions: ParsableArguments {
  @Option(help: "How to print it.")
  var format: Format = .table

  @Flag(
    name: .customLong("wide"),
    help: "Cut nothing of a table to fit the terminal; in a pipe nothing is ever cut.")
  var isWide = false

  @OptionGroup var raw: RawOption
  @OptionGroup var file: OutputFileOption
}

/// A way to print rows.
enum Format: String, CaseIterable, ExpressibleByArgument {
  case table, csv, tsv, json, ndjson, markdown
}
