import DigestStore
import ResilientPlatform

extension Int {
  /// The number with a noun, as in `1 digest` and `2 digests`.
  func counting(_ noun: String) -> String {
    "\(self) \(noun)\(self == 1 ? "" : "s")"
  }

  /// Says that there are more than this limit allows, and the remedy.
  func exceeded(by noun: String) -> String {
    "there \(self == 1 ? "is" : "are") more than \(counting(noun)); raise --limit to see them"
  }

  /// The number with commas between thousands, as in `1,234`.
  var grouped: String {
    let digits = "\(magnitude)"
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A short form of a round number, as in `900`, `1.5k` and `20M`.
  var short: String {
    for (unit, name) in [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")] where self >= unit {
      return (Double(self) / Double(unit)).decimal + name
    }
    return "\(self)"
  }
}

extension String {
  /// The text with a first letter in upper case, for a sentence.
  var withCapital: String { prefix(1).uppercased() + dropFirst() }
}

extension Double {
  /// The number with at most three decimals, without trailing zeros. A smaller number has its
  /// first digit, so that only 0 looks like 0.
  var decimal: String { decimal(places: 3) }

  /// The number with at most six decimals, for a share that is printed as a fraction.
  var fraction: String { decimal(places: 6) }

  /// The number with three digits, or all before its point. A smaller number than 0.001 has one.
  var threeDigits: String {
    decimal(places: magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3)
  }

  /// The share in percent, as in `12.4%`.
  var percent: String { "\((self * 100).threeDigits)%" }

  private func decimal(places: Int) -> String {
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let scaled = (magnitude * Double(scale)).rounded()
    let sign = self < 0 ? "-" : ""
    if scaled == 0, self != 0 {
      var (zeros, rest) = (String(repeating: "0", count: places), magnitude * Double(scale) * 10)
      // Below 0.95 another digit comes first.
      while rest < 0.95 { (zeros, rest) = (zeros + "0", rest * 10) }
      return "\(sign)0.\(zeros)\(Int(rest.rounded()))"
    }
    guard scaled < 1e15 else { return "\(self)" }
    let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: scale)
    guard rest > 0 else { return "\(sign)\(whole)" }
    var digits = "\(rest)"
    digits = String(repeating: "0", count: places - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}

extension Date {
  /// Reads ISO 8601: a day in UTC, or a time with its zone. Nil for other text.
  init?(iso8601 text: String) {
    guard let time = ISO8601.milliseconds(ofTime: text) ?? ISO8601.milliseconds(ofDay: text) else {
      return nil
    }
    self.init(timeIntervalSince1970: Double(time) / 1_000)
  }

  /// The time in ISO 8601, UTC, exact to the millisecond.
  var iso8601: String { ISO8601.text(self) }

  /// The second in UTC, as in `2026-11-20 10:00:00Z`.
  var second: String {
    let text = iso8601
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))Z"
  }

  /// The minute in UTC, as in `2026-11-20 10:00`.
  var minute: String {
    let text = iso8601
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
  }

  /// The beginning of the hour.
  var hour: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 / 3_600).rounded(.down) * 3_600)
  }

  /// The day in UTC, as in `2026-11-20`.
  var day: String { String(iso8601.prefix(10)) }
}

extension CaseIterable where Self: RawRepresentable<String> {
  static var names: [String] { allCases.map(\.rawValue) }
}

extension String {
  /// Names and their meanings as indented lines of a help text, with aligned meanings.
  static func definitions(_ items: [(name: String, meaning: String)]) -> String {
    let width = items.map(\.name.count).max() ?? 0
    return items.map { name, meaning in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(meaning)"
    }.joined(separator: "\n")
  }
}
