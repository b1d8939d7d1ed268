import ArgumentParser

/// How a report is printed.
struct OutputOptions: ParsableArguments {
  @Option(help: "How to print it.")
  var format: Format = .table

  @Flag(
    help: """
      Leave text as it is in CSV and TSV that a spreadsheet would run as a formula; otherwise a ' \
      stands before it.
      """
  )
  var raw = false
}

/// A way to print rows.
enum Format: String, CaseIterable, ExpressibleByArgument {
  case table, csv, tsv, json, ndjson, markdown
}
