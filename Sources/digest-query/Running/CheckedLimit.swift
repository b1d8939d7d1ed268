import DigestStore

/// A limit of `check`, and the count that was found.
struct CheckedLimit {
  /// The name of the limited count.
  let name: String
  let allowed: Int
  let found: Int

  /// A summary for people.
  let summary: String

  /// The first of the counted values; empty if they have no names.
  let details: String

  var isExceeded: Bool { found > allowed }

  static func newNovelValues(_ values: [NovelValueCount], allowed: Int) -> Self {
    let shown = values.prefix(10).map {
      "\($0.model) \($0.codingPath) \"\($0.novelValue)\" \($0.occurrences)".printable
    }
    let rest = values.count - shown.count
    let details = shown + (rest > 0 ? ["and \(rest) more"] : [])
    return Self(
      name: "new_novel_values",
      allowed: allowed,
      found: values.count,
      summary: "\(values.count.counting("new novel value")) (at most \(allowed))",
      details: details.joined(separator: ", ")
    )
  }

  static func occurrences(_ found: Int, allowed: Int) -> Self {
    Self(
      name: "occurrences",
      allowed: allowed,
      found: found,
      summary: "\(found.counting("occurrence")) (at most \(allowed))",
      details: ""
    )
  }
}

extension CheckedLimit: Row {
  static var columns: [Column<Self>] {
    [
      .text("limit") { $0.name },
      .number("allowed") { $0.allowed },
      .number("found") { $0.found },
      .flag("exceeded") { $0.isExceeded },
      .text("details") { $0.isExceeded && !$0.details.isEmpty ? $0.details : nil },
    ]
  }
}
