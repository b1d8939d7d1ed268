import DigestStore
import ResilientPlatform

/// Trends for people: a table with bars for each group, followed by a summary of all groups.
struct TrendChart {
  let trends: [DigestStore.Trend]

  /// The columns that identify a group.
  let group: [Column<DigestStore.Trend>]

  /// Whether rates are drawn instead of counts.
  var hasRates = false

  /// Formats the chart as lines of text.
  ///
  /// - Parameter width: the columns of the terminal; nil for no limit.
  /// - Returns: the lines with their breaks, and a note if something does not fit.
  func text(isColored: Bool, fitting width: Int? = nil) -> (String, note: String?) {
    guard !trends.isEmpty else {
      return TextTable(TrendRow.columns(group)).text(isColored: isColored, fitting: width)
    }
    let most = trends.flatMap(\.points).compactMap(height).max() ?? 0
    // The longest time and count before the bars take 32 columns, rates another 28, and a mark two.
    let histogram = Histogram(width: max(8, min(30, (width ?? .max) - (hasRates ? 62 : 34))))
    var text = ""
    for trend in trends {
      var table = TextTable<DigestStore.Trend.Point>(
        [
          .text("start") { $0.start.text(trend.unit) },
          .number("occurrences") { $0.occurrences },
        ] + (hasRates ? DigestStore.Trend.Point.rates : [])
          + [
            .drawing("") {
              histogram.bar(height($0) ?? 0, of: most)
                + ($0.isPartial ? histogram.partialMark : "")
            }
          ])
      for point in trend.points { table.append(point) }
      let names = group.map { $0.cell(trend).forHeading }.joined(separator: "  ")
      let heading = width.map { names.cut(to: $0, at: .front) } ?? names
      if !heading.isEmpty { text += (isColored ? "\u{1B}[1m\(heading)\u{1B}[0m" : heading) + "\n" }
      text += table.text(isColored: isColored, fitting: width).0
      if trends.count > 1 { text += "\n" }
    }
    guard trends.count > 1 else { return (text, nil) }
    let line = Histogram(width: width == nil ? 30 : 16)
    let (summary, note) = summary(line).text(isColored: isColored, fitting: width)
    return (text + summary, note)
  }

  /// The whole periods at a glance: a part of one would look like a collapse.
  private func summary(_ histogram: Histogram) -> TextTable<DigestStore.Trend> {
    var table = TextTable<DigestStore.Trend>(
      group + [
        .number("occurrences") { $0.occurrences },
        .drawing("trend") { histogram.line($0.points.filter { !$0.isPartial }.map(height)) },
      ])
    for trend in trends { table.append(trend) }
    return table
  }

  /// The height of a bar.
  private func height(_ point: DigestStore.Trend.Point) -> Int? {
    hasRates ? point.rate.map { Int(min($0, 1) * 1_000_000) } : point.occurrences
  }
}

extension Cell {
  fileprivate var forHeading: String {
    guard case .text(let text?) = self else { return "-" }
    return text.visible
  }
}

extension Date {
  /// The beginning of a period, as precise as its unit.
  fileprivate func text(_ unit: DigestStore.Trend.Unit) -> String {
    let text = iso8601
    let day = text.prefix { $0 != "T" }
    switch unit {
    case .day, .week: return String(day)
    case .minute, .hour: return "\(day) \(text.dropFirst(day.count + 1).prefix(5))Z"
    }
  }
}

/// Numbers as bars of block elements, or of ASCII where the locale has no others.
struct Histogram {
  private static let eighths = Array("▏▎▍▌▋▊▉█")
  private static let levels = Array("▁▂▃▄▅▆▇█")
  private static let asciiLevels = Array("_.:-=+*#")

  /// The length of the longest bar, in columns.
  let width: Int

  /// Whether bars may contain more than ASCII.
  let isUnicode: Bool

  init(width: Int = 30, isUnicode: Bool = Self.localeIsUnicode) {
    self.width = width
    self.isUnicode = isUnicode
  }

  /// Says behind a bar that the period isn't whole.
  var partialMark: String { isUnicode ? "…" : ".." }

  /// A bar for a number in proportion to the largest one. Any number above 0 is visible.
  func bar(_ number: Int, of most: Int) -> String {
    guard number > 0, most > 0 else { return "" }
    let steps = isUnicode ? 8 : 1
    let share = Double(number) / Double(most)
    let length = max(1, Int((share * Double(width * steps)).rounded()))
    guard isUnicode else { return String(repeating: "#", count: length) }
    let rest = length % steps
    return String(repeating: "█", count: length / steps)
      + (rest == 0 ? "" : String(Self.eighths[rest - 1]))
  }

  /// A line with one character for each number, or for the mean of several if there are too many. The
  /// lowest level is 0, and a gap means that a number is unknown.
  func line(_ numbers: [Int?]) -> String {
    let step = max(1, (numbers.count + width - 1) / width)
    let means = stride(from: 0, to: numbers.count, by: step).map { start -> Double? in
      // The last part may have fewer numbers.
      let part = numbers[start..<min(start + step, numbers.count)]
      return part.contains(nil) ? nil : Double(part.sum { $0 ?? 0 }) / Double(part.count)
    }
    let most = means.compactMap(\.self).max() ?? 0
    let levels = isUnicode ? Self.levels : Self.asciiLevels
    return String(
      means.map { mean in
        guard let mean else { return " " }
        return mean <= 0 ? levels[0] : levels[max(1, Int((mean / most * 7).rounded()))]
      })
  }

  /// Whether the locale is UTF-8 (POSIX, "Internationalization Variables").
  static var localeIsUnicode: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let values = names.map { (name: String) in getenv(name).map { String(cString: $0) } ?? "" }
    let locale = (values.first { !$0.isEmpty } ?? "").uppercased()
    return locale.hasSuffix("UTF-8") || locale.hasSuffix("UTF8")
  }
}
