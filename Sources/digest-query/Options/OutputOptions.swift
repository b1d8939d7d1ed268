import ArgumentParser

/// How a report is printed.
struct OutputOptions: ParsableArguments {
  @Option(help: "How to print it.")
  var format: Format = .table

  @OptionGroup var raw: RawOption
}

/// A way to print rows.
enum Format: String, CaseIterable, ExpressibleByArgument {
  case table, csv, tsv, json, ndjson, markdown
}
