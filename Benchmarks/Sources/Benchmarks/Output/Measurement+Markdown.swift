import Foundation
import Reporting

extension Measurement {
  static let columns = """
    | | required | ratio | ± | reference, ms |
    |---|--:|--:|--:|--:|
    """

  /// A row of a Markdown table.
  var row: String {
    let cells = [
      name,
      target.map { String(format: "≤ %.2f", $0) } ?? "",
      String(format: "%.3f", ratio) + remark,
      String(format: "%.3f", spread),
      String(format: "%.2f", reference.quantile(0.5) / 1_000_000),
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  private var remark: String {
    if !isCorrect { return " **wrong result**" }
    if let target, ratio > target { return " **over**" }
    return ""
  }
}
