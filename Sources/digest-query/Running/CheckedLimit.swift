import DigestStore

/// A limit of `check`, and the count that was found.
struct CheckedLimit {
  /// The name of the limited count.
  let name: String
  let allowed: Amount
  let found: Amount

  /// A summary for people.
  let summary: String

  /// The first of the counted values; empty if they have no names.
  let details: String

  var isExceeded: Bool { found > allowed }

  /// A count, or a share from 0 to 1.
  enum Amount: Comparable {
    case count(Int)
    case share(Double)

    fileprivate var cell: Cell {
      switch self {
      case .count(let count): .number(count)
      case .share(let share): .fraction(share)
      }
    }
  }

  static func newNovelValues(_ values: [DigestStore.NovelValueCount], allowed: Int) -> Self {
    let shown = values.prefix(10).map {
      "\($0.model) \($0.codingPath) \"\($0.novelValue)\" \($0.occurrences)".printable
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

  /// - Parameter counts: the counted decodes; nil if none were counted.
  static func rate(_ found: Double, _ counts: DigestStore.DecodeCounts?, allowed: Rate) -> Self {
    Self(
      name: "rate",
      allowed: .share(allowed.value),
      found: .share(found),
      summary:
        "errors in \((found * 100).decimal)% of \((counts?.decodes ?? 0).counting("decode")) "
        + "(at most \((allowed.value * 100).decimal)%)",
      details: ""
    )
  }
}

extension CheckedLimit: Row {
  static var columns: [Column<Self>] {
    [
      .text("limit") { $0.name },
      Column(name: "allowed", cut: .end) { $0.allowed.cell },
      Column(name: "found", cut: .end) { $0.found.cell },
      .flag("exceeded") { $0.isExceeded },
      .text("details") { $0.isExceeded && !$0.details.isEmpty ? $0.details : nil },
    ]
  }
}
