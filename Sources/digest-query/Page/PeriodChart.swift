import DigestStore

/// A bar chart with one bar per period, as SVG. Widths are percentages, so that the chart fills the
/// page and its text keeps its size.
struct PeriodChart {
  private static let height = 150

  let trend: DigestStore.OverviewTrend

  var html: HTML {
    let scale = Scale(upTo: trend.occurrences.compactMap(\.self).max() ?? 0)
    return """
      <figure class="\(trend.starts.count < 15 ? "few" : "many")" data-top="\(scale.ticks.last ?? 1)">
      <div class="scale" aria-hidden="true">\
      \(scale.ticks.reversed().map { HTML("<span>\($0.short)</span>") }.joined())</div>
      <svg role="img" aria-label="\(description)">
      \(lines(scale))\(bars(scale))\(labels)\(releases)</svg>
      </figure>

      """
  }

  /// A description of the chart.
  private var description: String {
    let most = trend.peak.map { ", at most \($0.occurrences.grouped) (\($0.period))" } ?? ""
    return "\(trend.occurrences.count.counting("bar")): occurrences per \(trend.period)\(most)"
  }

  private func lines(_ scale: Scale) -> HTML {
    scale.ticks.dropFirst().map { tick in
      let y = Self.height - scale.height(of: tick, in: Self.height)
      return #"<line class="grid" x1="0" x2="100%" y1="\#(y)" y2="\#(y)"/>"#
    }.joined()
      + #"<line class="base" x1="0" x2="100%" y1="\#(Self.height)" y2="\#(Self.height)"/>\#n"#
  }

  private func bars(_ scale: Scale) -> HTML {
    let gap = trend.starts.count > 45 ? 0.12 : 0.2
    return trend.occurrences.indices.map { index -> HTML in
      let occurrences = trend.occurrences[index]
      // An unknown period is gray from top to bottom.
      let height = occurrences.map { scale.height(of: $0, in: Self.height) } ?? Self.height
      let bar: HTML = """
        <rect class="\(occurrences == nil ? "unknown" : trend.partial.contains(index) ? "bar partial" : "bar")" \
        x="\(x(Double(index) + gap / 2))" width="\(x(1 - gap))" \
        y="\(Self.height - height)" height="\(height)"/>
        """
      return """
        <g><title>\(trend.name(ofPeriod: index))\(trend.partial.contains(index) ? ", not whole" : ""): \
        \(occurrences?.grouped ?? "not known")</title>\
        <rect class="period" x="\(x(Double(index)))" width="\(x(1))" height="\(Self.height)"/>\
        \(bar)</g>

        """
    }.joined()
  }

  /// The names of as many periods as fit on a phone.
  private var labels: HTML {
    trend.labels.map { index, text in
      let middle = (Double(index) + 0.5) / Double(trend.starts.count)
      let (place, anchor) =
        middle < 0.07
        ? (Double(index), "start")
        : middle > 0.93 ? (Double(index) + 1, "end") : (Double(index) + 0.5, "middle")
      return """
        <text class="axis" x="\(x(place))" y="\(Self.height + 20)" text-anchor="\(anchor)">\
        \(text)</text>
        """
    }.joined()
  }

  /// Lines where releases begin: the newest ones, as many as there is room for.
  private var releases: HTML {
    let firsts = Dictionary(grouping: trend.releases, by: \.value).sorted { $0.key < $1.key }
    return firsts.suffix(6).map { index, releases -> HTML in
      let names = releases.map(\.key).sorted().joined(separator: ", ")
      return """
        <line class="release" x1="\(x(Double(index)))" x2="\(x(Double(index)))" y1="0" y2="\(Self.height)">\
        <title>first decodes of \(names)</title></line>\
        <text class="axis" x="\(x(Double(index)))" dx="3" y="10">\(names.cut(to: 16, at: .end))</text>

        """
    }.joined()
  }

  /// A number of periods as a percentage of the width.
  private func x(_ periods: Double) -> String {
    "\((periods / Double(trend.starts.count) * 100).decimal)%"
  }
}

extension PeriodChart {
  /// The vertical scale.
  private struct Scale {
    /// Round numbers at equal distances, beginning with 0.
    let ticks: [Int]

    /// - Parameter most: the largest number.
    init(upTo most: Int) {
      let step = Self.step(of: most)
      ticks = Array(stride(from: 0, through: max(1, (most + step - 1) / step) * step, by: step))
    }

    /// The smallest of 1, 2, 5, 10 and so on of which four steps are enough.
    private static func step(of most: Int) -> Int {
      var power = 1
      while true {
        for factor in [1, 2, 5] where most / 4 < factor * power || most == 4 * factor * power {
          return factor * power
        }
        power *= 10
      }
    }

    /// The height of a bar. Any number above 0 is visible.
    func height(of number: Int, in height: Int) -> Int {
      guard number > 0, let top = ticks.last else { return 0 }
      return max(1, Int((Double(number) / Double(top) * Double(height)).rounded()))
    }
  }
}

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
