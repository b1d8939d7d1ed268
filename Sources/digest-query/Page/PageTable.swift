import DigestStore

/// A table of the most frequent rows, with the command that lists all of them.
struct PageTable<Row: PageRow & Sendable & Hashable & Codable> {
  /// The id of the heading.
  let id: String
  let ranking: DigestStore.Overview.Ranking<Row>
  let trend: DigestStore.OverviewTrend
  var details = RowDetails()
  var columns = Row.pageColumns

  /// The command that lists all rows.
  let command: String

  /// Passes the table to `write`, unless it has no rows.
  func write(_ write: (HTML) throws -> Void) rethrows {
    guard !ranking.rows.isEmpty else { return }
    let rows = zip(ranking.rows, ranking.trends).map { row, occurrences in
      PageTableRow(
        row: row, trend: Sparkline(trend: trend, occurrences: occurrences),
        detail: details[row.failure])
    }
    let isJudged = rows.contains { !$0.detail.judgements.isEmpty }
    let columns = columns.filter {
      $0.isNeeded(for: rows) && !(isJudged && $0.yieldsToVerdicts)
    }
    try write(
      """
      <div class="scroll" role="region" aria-labelledby="\(id)" tabindex="0">
      <table class="cards">
      <thead><tr>\(columns.map(\.header).joined())</tr></thead>
      <tbody>

      """)
    for row in rows {
      try write(
        "<tr\(row.detail.attributes)>\(columns.map { $0.cell(row) }.joined())</tr>\n")
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
