import DigestStore
import ResilientPlatform

/// A limit of `check`, and the count that was found.
struct CheckedLimit {
  /// The name of the limited count.
  let name: String
  let allowed: Amount

  /// The count or share; nil if it is unknown.
  let found: Amount?

  /// A summary for people.
  let summary: String

  /// The first of the counted values; empty if they have no names.
  let details: String

  /// The reason why the amount is unknown, with a remedy; nil if it is known.
  var problem: String?

  /// Whether there is too much; nil if that is unknown.
  var isExceeded: Bool? { found.map { $0 > allowed } }

  /// A count, a number of seconds, or a share from 0 to 1.
  enum Amount: Comparable {
    case count(Int)
    case share(Double)
    /// More than any other amount.
    case unlimited

    fileprivate var cell: Cell {
      switch self {
      case .count(let count): .number(count)
      case .share(let share): .fraction(share)
      case .unlimited: .number(nil)
      }
    }
  }

  /// The line of the limit in a table.
  var line: String? {
    isExceeded.map {
      "\($0 ? "exceeded" : "ok"): \(summary)" + ($0 && !details.isEmpty ? ": \(details)" : "")
    }
  }

  static func newNovelValues(_ values: [DigestStore.FailureCount], allowed: Int) -> Self {
    let shown = values.prefix(10).map {
      "\($0.model) \($0.codingPath) \"\($0.novelValue ?? "")\" \($0.occurrences)".printable
    }
    let rest = values.count - shown.count
    let details = shown + (rest > 0 ? ["and \(rest) more"] : [])
    return Self(
      name: "new_novel_values",
      allowed: .count(allowed),
      found: .count(values.count),
      summary: "\(values.count.counting("new novel value")) (at most \(allowed))",
      details: details.joined(separator: ", ")
    )
  }

  static func occurrences(_ found: Int, allowed: Int) -> Self {
    Self(
      name: "occurrences",
      allowed: .count(allowed),
      found: .count(found),
      summary: "\(found.counting("occurrence")) (at most \(allowed))",
      details: ""
    )
  }

  /// - Parameter counts: the counted decodes; nil if none were counted. Without decodes there are
  ///   no errors.
  static func rate(_ counts: DigestStore.DecodeCounts?, allowed: Rate) -> Self {
    let found = counts?.rate ?? 0
    return Self(
      name: "rate",
      allowed: .share(allowed.value),
      found: .share(found),
      summary:
        "errors in \((found * 100).decimal)% of \((counts?.decodes ?? 0).counting("decode")) "
        + "(at most \((allowed.value * 100).decimal)%)",
      details: ""
    )
  }

  /// - Parameters:
  ///   - newest: when the newest decode was recorded; nil without decodes.
  ///   - allowed: the greatest age, in seconds.
  static func ageOfData(_ newest: Date?, at now: Date, allowed: Double) -> Self {
    let age = newest.map { max(0, now.timeIntervalSince($0)) }
    return Self(
      name: "age_of_data",
      allowed: .count(Int(allowed)),
      found: age.map { .count(Int($0.rounded(.up))) } ?? .unlimited,
      summary: (age.map { "newest decode \($0.duration) old" } ?? "no decode")
        + " (at most \(allowed.duration))",
      details: newest.map { "recorded at \($0.second)" } ?? ""
    )
  }

  static func unknownRate(_ problem: String, allowed: Rate) -> Self {
    Self(
      name: "rate", allowed: .share(allowed.value), found: nil, summary: "", details: "",
      problem: problem)
  }
}

extension CheckedLimit: OutputRow {
  static var columns: [Column<Self>] {
    [
      .text("limit") { $0.name },
      Column(name: "allowed", cut: .end) { $0.allowed.cell },
      Column(name: "found", cut: .end) { $0.found?.cell ?? .text(nil) },
      Column(name: "exceeded", cut: .end) { $0.isExceeded.map(Cell.flag) ?? .text(nil) },
      .text("details") { limit in
        limit.problem ?? (limit.isExceeded == true && !limit.details.isEmpty ? limit.details : nil)
      },
    ]
  }
}

extension Double {
  /// A number of seconds in the two longest units, as in `90s`, `2h` and `3d 4h`.
  fileprivate var duration: String {
    var rest = Int(min(self, 1e10).rounded(.up))
    guard rest >= 120 else { return "\(rest)s" }
    var parts: [String] = []
    for (unit, name) in [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")]
    where rest >= unit {
      parts.append("\(rest / unit)\(name)")
      rest %= unit
    }
    return parts.prefix(2).joined(separator: " ")
  }
}
