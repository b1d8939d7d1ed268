extension Int {
  /// The number with a comma between thousands, as in `1,234`.
  var grouped: String {
    let digits = "\(magnitude)"
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A round number in few letters, as in `900`, `1.5k` and `20M`.
  var short: String {
    for (unit, name) in [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")] where self >= unit {
      return (Double(self) / Double(unit)).decimal + name
    }
    return "\(self)"
  }
}
