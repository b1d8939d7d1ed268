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

extension Double {
  /// The number with at most three decimals, without trailing zeros. A smaller number has its
  /// first digit, so that only 0 looks like 0.
  var decimal: String {
    let thousandths = (self * 1_000).rounded()
    if thousandths == 0, self != 0 {
      var (zeros, scaled) = ("0.000", magnitude * 10_000)
      // Below 0.95 another digit comes first.
      while scaled < 0.95 { (zeros, scaled) = (zeros + "0", scaled * 10) }
      return (self < 0 ? "-" : "") + zeros + "\(Int(scaled.rounded()))"
    }
    guard thousandths.magnitude < 1e15 else { return "\(self)" }
    let text = "\(thousandths / 1_000)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
