/// Figures that are printed as one table.
struct Suite {
  let title: String

  /// What a reader has to know to read the table.
  let caption: String

  /// The rows of this run, for some depend on how many occurrences it is about.
  let figures: (Plan) -> [Figure]
}
