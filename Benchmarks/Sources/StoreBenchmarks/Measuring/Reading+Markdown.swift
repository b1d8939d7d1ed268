import Foundation

extension Metric {
  static let columns = """
    | | required | measured | ± | beside it |
    |---|--:|--:|--:|---|
    """

  /// A row of a Markdown table.
  func row(_ reading: Reading) -> String {
    let isMissed = requirement?.isMet(by: reading.value) == false
    let cells = [
      name,
      requirement?.text(in: reading.unit) ?? "",
      reading.unit.text(reading.value) + (isMissed ? " **missed**" : ""),
      reading.spread.map(reading.unit.text) ?? "",
      reading.beside.joined(separator: "; "),
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  func row(_ skipped: Skipped) -> String {
    "| \(name) | | skipped | | \(skipped.reason) |"
  }
}

extension Metric.Requirement {
  func isMet(by value: Double) -> Bool {
    switch self {
    case .atMost(let limit): value <= limit
    case .atLeast(let limit): value >= limit
    }
  }

  func text(in unit: Reading.Unit) -> String {
    switch self {
    case .atMost(let limit): "≤ \(unit.text(limit))"
    case .atLeast(let limit): "≥ \(unit.text(limit))"
    }
  }
}

extension Reading.Unit {
  func text(_ value: Double) -> String {
    switch self {
    case .ratio: String(format: "%.2f", value)
    case .microseconds: String(format: "%.1f µs", value)
    case .milliseconds: String(format: value < 100 ? "%.1f ms" : "%.0f ms", value)
    case .bytes: String(format: "%.1f bytes", value)
    case .mebibytes: String(format: "%.1f MiB", value)
    case .perSecond: "\(Int(value.rounded()).grouped)/s"
    }
  }
}

extension Int {
  /// The digits in groups of three: 1 000 000.
  var grouped: String {
    var text = ""
    for (position, digit) in String(self).reversed().enumerated() {
      if position > 0, position.isMultiple(of: 3) { text.append(" ") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
