import DigestStore

extension Page {
  func writeTrend(_ write: (HTML) throws -> Void) rethrows {
    let trend = overview.trend
    try write("<section>\n<h2 id=\"trend\">Occurrences per \(trend.period)</h2>\n")
    if trend.starts.isEmpty {
      try write(#"<p class="note">None.</p>\#n"#)
    } else {
      try write(PeriodChart(trend: trend).html)
      try writePeriods(of: trend, write)
    }
    if trend.occurrences.contains(nil) {
      let missing = overview.totals.occurrences - trend.occurrences.sum { $0 ?? 0 }
      let more = missing > 0 ? " \(missing.grouped) occurrences are in no bar." : ""
      try write(
        """
        <p class="note">Gray periods are unknown: the counts of their days were dropped to save space.\(more)</p>

        """)
    }
    try write("</section>\n")
  }

  /// The numbers of the bars, for readers without a pointer.
  private func writePeriods(
    of trend: DigestStore.OverviewTrend,
    _ write: (HTML) throws -> Void
  ) rethrows {
    try write(
      """
      <details>
      <summary>The same as numbers</summary>
      <table>
      <thead><tr><th scope="col">Period</th><th scope="col" class="number">Occurrences</th></tr></thead>
      <tbody>

      """)
    for (index, occurrences) in trend.occurrences.enumerated() {
      let name = trend.name(ofPeriod: index)
      let number = occurrences?.grouped ?? "not known"
      try write(#"<tr><td>\#(name)</td><td class="number">\#(number)</td></tr>\#n"#)
    }
    try write("</tbody>\n</table>\n</details>\n")
  }

  func writeModels(_ write: (HTML) throws -> Void) rethrows {
    let hasRates = overview.models.contains { $0.rate != nil }
    let rateHeads: HTML =
      hasRates
      ? #"<th scope="col" class="number decodes">Decodes</th><th scope="col" class="number rate">Share</th>"#
      : ""
    try write(
      """
      <section>
      <h2 id="models">Models</h2>
      <p class="note">The types of documents that the app reads.\(rates)</p>
      <div class="scroll" role="region" aria-labelledby="models" tabindex="0">
      <table class="cards">
      <thead><tr><th scope="col" class="model">Model</th>\(rateHeads)\
      <th scope="col" class="number occurrences">Occurrences</th>\
      <th scope="col" class="number failures">Failures</th>\
      <th scope="col" class="seen first">First seen</th>\
      <th scope="col" class="seen last">Last seen</th></tr></thead>
      <tbody>

      """)
    for model in overview.models {
      let rates: HTML =
        hasRates
        ? """
        <td class="number decodes">\(model.decodes.map { "\($0.grouped)" } ?? .nothing)</td>\
        <td class="number rate">\(model.rate.map { "\($0.percent)" } ?? .nothing)</td>
        """ : ""
      try write(
        """
        <tr><td class="model">\(HTML.name(model.model))</td>\(rates)\
        <td class="number occurrences">\(model.occurrences.grouped)</td>\
        <td class="number failures">\(model.failures.grouped)</td>\
        <td class="seen first">\(model.firstSeen.map(\.html) ?? .nothing)</td>\
        <td class="seen last">\(model.lastSeen.map(\.html) ?? .nothing)</td></tr>

        """)
    }
    try write("</tbody>\n</table>\n</div>\n")
    if overview.modelCount > overview.models.count {
      try write(
        """
        <p class="more">\(overview.models.count.grouped) of \(overview.modelCount.grouped). \
        All: <code>\(filter.command("models"))</code></p>

        """)
    }
    try write("</section>\n")
  }

  /// What the rates of models are; empty if decodes were not counted.
  private var rates: HTML {
    guard let decodes = overview.decodes else { return "" }
    let start: HTML = decodes.since.map { ", in whole hours from \($0.html) on" } ?? ""
    return " Share is the share of decodes with errors\(start)."
  }
}
