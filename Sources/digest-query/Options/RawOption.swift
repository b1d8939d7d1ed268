import ArgumentParser

/// Whether CSV and TSV have text as it is.
struct RawOption: ParsableArguments {
  @Flag(
    name: .customLong("raw"),
    help: "Do not put a ' before text in CSV and TSV that a spreadsheet would run as a formula.")
  var isRaw = false
}
