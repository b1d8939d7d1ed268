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

  func writeFailures(_ write: (HTML) throws -> Void) rethrows {
    try write(
      """
      <section>
      <h2 id="failures">Failures</h2>
      <p class="note">\(novelty) Found is one value that came.</p>

      """)
    try PageTable(
      id: "failures", ranking: overview.failures, trend: overview.trend,
      details: details, command: filter.command("top-failures")
    ).write(write)
    try write("</section>\n")
  }

  /// Says what counts as new, and that new failures come first.
  private var novelty: String {
    let isAnyNew = overview.newFailures > 0
    switch overview.novelty {
    case .since(let date):
      let time = date.minute.hasSuffix(" 00:00") ? date.day : date.minute
      return isAnyNew
        ? "New ones, never seen before \(time), come first."
        : "None is new: all were seen before \(time)."
    case .releases(let releases):
      let name = "release \(releases.joined(separator: " or "))"
      return isAnyNew
        ? "New ones, seen in \(name) and in none before, come first."
        : "None is new: all were seen in a release before \(name)."
    case .everything: return "All are new: the store contains nothing older."
    }
  }

  /// Writes the renamed keys, if there are any.
  func writeRenames(_ write: (HTML) throws -> Void) rethrows {
    guard !renames.isEmpty else { return }
    let command = filter.command("renames")
    try write(
      """
      <section>
      <h2 id="renames">Renamed keys</h2>
      <p class="note">Keys that payloads lack since a time before which they had them, and keys of the \
      same objects that the app does not know, both counted in the latest digests. All: <code>\(command)</code></p>
      <div class="scroll" role="region" aria-labelledby="renames" tabindex="0">
      <table class="cards">
      <thead><tr><th scope="col" class="place">Missing</th><th scope="col" class="now">Instead</th>\
      <th scope="col" class="number digests">Digests</th><th scope="col" class="seen first">First seen</th>\
      <th scope="col" class="seen last">Last seen</th></tr></thead>
      <tbody>

      """)
    for rename in renames {
      try write(
        """
        <tr><td class="place">\(HTML.place(rename.oldPath, of: rename.model))</td>\
        <td class="now">\(HTML.path(rename.newPath))</td>\
        <td class="number digests">\(rename.digests.grouped)</td>\
        <td class="seen first">\(rename.firstSeen.html)\(rename.firstRelease.map(HTML.release) ?? "")</td>\
        <td class="seen last">\(rename.lastSeen.html)</td></tr>

        """)
    }
    try write("</tbody>\n</table>\n</div>\n</section>\n")
  }

  func writeModels(_ write: (HTML) throws -> Void) rethrows {
    try write(
      """
      <section>
      <h2 id="models">Models</h2>
      <p class="note">The types that are decoded. Share is the share of all digests.\(rates)</p>

      """)
    try PageTable(
      id: "models", ranking: overview.models, trend: overview.trend,
      command: filter.command("models")
    ).write(write)
    try write("</section>\n")
  }

  /// What the rates of models are; empty if decodes were not counted.
  private var rates: HTML {
    guard let decodes = overview.decodes else { return "" }
    let start: HTML = decodes.since.map { ", in whole hours from \($0.html) on" } ?? ""
    return " Rate is the share of decodes with errors\(start)."
  }
}
