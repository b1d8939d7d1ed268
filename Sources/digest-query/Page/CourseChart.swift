import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A bar for each period, drawn as SVG that is as wide as there is room: widths are shares of it, so
/// that the text keeps its size.
struct CourseChart {
  private static let height = 150

  let course: Overview.Course

  var html: HTML {
    let scale = Scale(upTo: course.occurrences.compactMap(\.self).max() ?? 0)
    return """
      <figure\(course.starts.count < 15 ? #" class="few""# : "")>
      <div class="scale" aria-hidden="true">\
      \(scale.ticks.reversed().map { HTML("<span>\($0.short)</span>") }.joined())</div>
      <svg role="img" aria-label="\(description)">
      \(lines(scale))\(bars(scale))\(labels)</svg>
      </figure>

      """
  }

  /// The chart in words.
  private var description: String {
    let most = course.peak.map { ", at most \($0.occurrences.grouped) (\($0.period))" } ?? ""
    return "\(course.occurrences.count.counting("bar")): occurrences per \(course.period)\(most)"
  }

  private func lines(_ scale: Scale) -> HTML {
    scale.ticks.dropFirst().map { tick in
      let y = Self.height - scale.height(of: tick, in: Self.height)
      return #"<line class="grid" x1="0" x2="100%" y1="\#(y)" y2="\#(y)"/>"#
    }.joined()
      + #"<line class="base" x1="0" x2="100%" y1="\#(Self.height)" y2="\#(Self.height)"/>\#n"#
  }

  private func bars(_ scale: Scale) -> HTML {
    let gap = course.starts.count > 45 ? 0.12 : 0.2
    return course.occurrences.indices.map { index -> HTML in
      let occurrences = course.occurrences[index]
      // A period that is not known is gray from top to bottom.
      let height = occurrences.map { scale.height(of: $0, in: Self.height) } ?? Self.height
      let bar: HTML =
        height == 0
        ? ""
        : """
        <rect class="\(occurrences == nil ? "unknown" : "bar")" \
        x="\(x(Double(index) + gap / 2))" width="\(x(1 - gap))" \
        y="\(Self.height - height)" height="\(height)"/>
        """
      return """
        <g><title>\(course.name(ofPeriod: index)): \(occurrences?.grouped ?? "not known")</title>\
        <rect class="period" x="\(x(Double(index)))" width="\(x(1))" height="\(Self.height)"/>\
        \(bar)</g>

        """
    }.joined()
  }

  /// The names of some periods, as many as fit on a phone.
  private var labels: HTML {
    course.labels.map { index, text in
      let middle = (Double(index) + 0.5) / Double(course.starts.count)
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

  /// So many periods as a share of the width.
  private func x(_ periods: Double) -> String {
    "\((periods / Double(course.starts.count) * 100).decimal)%"
  }
}

extension CourseChart {
  /// What the heights of bars mean.
  private struct Scale {
    /// Round numbers at equal distances from 0 on.
    let ticks: [Int]

    /// - Parameter most: the greatest number that has to fit.
    init(upTo most: Int) {
      let step = Self.step(of: most)
      ticks = Array(stride(from: 0, through: max(1, (most + step - 1) / step) * step, by: step))
    }

    /// The least of 1, 2, 5, 10 and so on of which four are enough.
    private static func step(of most: Int) -> Int {
      var power = 1
      while true {
        for factor in [1, 2, 5] where most / 4 < factor * power || most == 4 * factor * power {
          return factor * power
        }
        power *= 10
      }
    }

    /// Anything but 0 can be seen.
    func height(of number: Int, in height: Int) -> Int {
      guard number > 0, let top = ticks.last else { return 0 }
      return max(1, Int((Double(number) / Double(top) * Double(height)).rounded()))
    }
  }
}
