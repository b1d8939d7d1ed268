import ArgumentParser

/// How many rows a report has.
struct LimitOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print at most n rows (default: all).", valueName: "n")
  )
  var limit: Int?

  func validate() throws {
    if let limit { try Self.check(limit) }
  }

  static func check(_ limit: Int) throws {
    if limit < 1 {
      throw ValidationError("--limit \(limit) is too small: give it 1 or more, or leave it out")
    }
  }
}
