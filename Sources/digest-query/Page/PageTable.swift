import DigestStore

/// A report as a table: the most frequent rows, and how to see the others.
struct PageTable<Row: PageRow & Sendable & Hashable> {
  /// The id of its headline.
  let id: String
  let ranking: Overview.Ranking<Row>
  let course: Overview.Course

  /// The command that tells all rows.
  let command: String

  /// Hands over the table; nothing where there are no rows.
  func write(_ write: (HTML) throws -> Void) rethrows {
    guard !ranking.rows.isEmpty else { return }
    try write(
      """
      <div class="scroll" role="region" aria-labelledby="\(id)" tabindex="0">
      <table class="cards">
      <thead><tr>\(Row.pageColumns.map(\.header).joined())</tr></thead>
      <tbody>

      """)
    for (row, occurrences) in zip(ranking.rows, ranking.courses) {
      let line = Sparkline(course: course, occurrences: occurrences)
      try write("<tr>\(Row.pageColumns.map { $0.cell(row.pageCell($0, line)) }.joined())</tr>\n")
    }
    try write("</tbody>\n</table>\n</div>\n")
    guard ranking.total > ranking.rows.count else { return }
    try write(
      """
      <p class="more">\(ranking.rows.count.grouped) of \(ranking.total.grouped), the most frequent \
      ones. All: <code>\(command)</code></p>

      """)
  }
}
