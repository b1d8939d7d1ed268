import DigestStore

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

  /// - Parameter counts: the counted decodes; nil if none were counted. Without decodes there are no
  ///   errors.
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

  static func unknownRate(_ problem: String, allowed: Rate) -> Self {
    Self(
      name: "rate", allowed: .share(allowed.value), found: nil, summary: "", details: "",
      problem: problem)
  }
}

extension CheckedLimit: Row {
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
