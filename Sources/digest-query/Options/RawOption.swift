import ArgumentParser

/// Whether CSV and TSV have text as it is.
struct RawOption: ParsableArguments {
  @Flag(
    name: .customLong("raw"),
    help: """
      Leave text as it is in CSV and TSV that a spreadsheet would run as a formula; otherwise a ' \
      stands before it.
      """)
  var isRaw = false
}
