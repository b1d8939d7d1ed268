import DigestStore

/// The trend of one row, on a scale of its own.
struct Sparkline {
  private static let height = 20

  let trend: DigestStore.OverviewTrend

  /// The errors of the row in each period; nil where unknown.
  let occurrences: [Int?]

  var html: HTML {
    guard let most = occurrences.compactMap(\.self).max(), most > 0,
      let index = occurrences.firstIndex(of: most)
    else { return "" }
    return """
      <svg role="img" viewBox="0 0 \(occurrences.count) \(Self.height)" preserveAspectRatio="none">\
      <title>At most \(most.grouped) (\(trend.name(ofPeriod: index)))</title>\
      \(unknown)<path d="\(path(most))"/></svg>
      """
  }

  /// A gray box for each run of unknown periods.
  private var unknown: HTML {
    var boxes: HTML = ""
    var start = 0
    while start < occurrences.count {
      let run = occurrences[start...].prefix { $0 == nil }.count
      if run > 0 {
        boxes += #"<rect class="unknown" x="\#(start)" width="\#(run)" height="\#(Self.height)"/>"#
      }
      start += max(1, run)
    }
    return boxes
  }

  /// A path of steps, with equal neighbors joined.
  private func path(_ most: Int) -> String {
    var path = "M0 \(Self.height)"
    var last = Self.height
    var length = 0
    for count in occurrences {
      let height = Int((Double(count ?? 0) / Double(most) * Double(Self.height)).rounded(.up))
      if Self.height - height != last {
        if length > 0 { path += "h\(length)" }
        last = Self.height - height
        path += "V\(last)"
        length = 0
      }
      length += 1
    }
    return path + "h\(length)V\(Self.height)z"
  }
}
