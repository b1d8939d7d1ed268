/// Comparisons that are printed as one table.
struct Suite {
  let title: String

  /// What a reader has to know to read the table.
  let caption: String

  let comparisons: [Comparison]
}
