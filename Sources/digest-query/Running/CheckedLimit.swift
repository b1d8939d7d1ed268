import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A limit of `check`, and the count that was found.
struct CheckedLimit {
  /// The name of the limited number.
  let name: String
  let allowed: Double

  /// The count, the number of seconds, or the share; nil if it is unknown, and infinite if there is no
  /// decode.
  let found: Double?

  /// Whether the numbers are shares, from 0 to 1.
  var isShare = false

  /// A summary for people.
  let summary: String

  /// The first of the counted failures; empty for other numbers.
  var details = ""

  /// The reason why the amount is unknown, with a remedy; nil if it is known.
  var problem: String?

  /// Whether there is too much; nil if that is unknown.
  var isExceeded: Bool? { found.map { $0 > allowed } }

  /// The line of the limit in a table.
  var line: String? {
    isExceeded.map {
      "\($0 ? "exceeded" : "ok"): \(summary)" + ($0 && !details.isEmpty ? ": \(details)" : "")
    }
  }

  /// The most failures that a line names.
  static let maximumNames = 10

  static func new(_ failures: [DigestStore.FailureCount], allowed: Int) -> Self {
    let shown = failures.prefix(maximumNames).map { failure in
      let body = failure.foundType.flatMap { $0.isOfBody ? $0.rawValue : nil }
      let words = [
        failure.model, failure.codingPath,
        failure.novelValue.map { "\"\($0)\"" } ?? failure.kind.rawValue,
        failure.novelValue == nil ? body ?? "" : "", "\(failure.occurrences)",
      ]
      return words.filter { !$0.isEmpty }.joined(separator: " ").printable
    }
    let rest = failures.count - shown.count
    let details = shown + (rest > 0 ? ["and \(rest) more"] : [])
    return Self(
      name: "new",
      allowed: Double(allowed),
      found: Double(failures.count),
      summary: "\(failures.count.counting("new failure")) (at most \(allowed))",
      details: details.joined(separator: ", ")
    )
  }

  static func occurrences(_ found: Int, allowed: Int) -> Self {
    Self(
      name: "occurrences",
      allowed: Double(allowed),
      found: Double(found),
      summary: "\(found.counting("occurrence")) (at most \(allowed))"
    )
  }

  /// - Parameters:
  ///   - counts: the counted decodes; nil if none were counted. Without decodes there are no errors.
  ///   - problem: why the rate is unknown unless it is exceeded.
  static func rate(
    _ counts: DigestStore.DecodeCounts?, allowed: Rate, orUnknown problem: () throws -> String?
  ) rethrows -> Self {
    let found = counts?.rate ?? 0
    let problem = found > allowed.value ? nil : try problem()
    // A share that is close to the limit has more digits.
    let isClose = found.percent == allowed.value.percent
    let shown = isClose ? "\((found * 100).decimal)%" : found.percent
    return Self(
      name: "rate",
      allowed: allowed.value,
      found: problem == nil ? found : nil,
      isShare: true,
      summary: problem != nil
        ? ""
        : "errors in \(shown) of \((counts?.decodes ?? 0).counting("decode")) "
          + "(at most \((allowed.value * 100).decimal)%)",
      problem: problem
    )
  }

  /// - Parameters:
  ///   - newest: when the newest decode was recorded; nil without decodes.
  ///   - allowed: the greatest age, in seconds.
  static func ageOfData(_ newest: Date?, at now: Date, allowed: Double) -> Self {
    let age = newest.map { max(0, now.timeIntervalSince($0)) }
    return Self(
      name: "age_of_data",
      allowed: allowed,
      found: age.map { $0.rounded(.up) } ?? .infinity,
      summary: (age.map { "newest decode \($0.duration) old" } ?? "no decode")
        + " (at most \(allowed.duration))",
      details: newest.map { "recorded at \($0.second)" } ?? ""
    )
  }
}

extension CheckedLimit: OutputRow {
  private func cell(_ number: Double) -> Cell {
    guard !isShare else { return .fraction(number) }
    return .number(number.isInfinite ? nil : Int(exactly: number.rounded(.down)) ?? .max)
  }

  static var columns: [Column<Self>] {
    [
      .text("limit") { $0.name },
      Column(name: "allowed") { $0.cell($0.allowed) },
      Column(name: "found") { limit in limit.found.map(limit.cell) ?? .text(nil) },
      .flag("exceeded") { $0.isExceeded },
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
