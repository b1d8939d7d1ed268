import ArgumentParser

/// A share of decodes on the command line: `0.5%` or `0.005`.
struct Rate: ExpressibleByArgument {
  /// From 0 to 1.
  let value: Double

  init?(argument: String) {
    let isPercent = argument.hasSuffix("%")
    guard let number = Double(isPercent ? String(argument.dropLast()) : argument) else {
      return nil
    }
    let value = isPercent ? number / 100 : number
    // False for NaN too.
    guard 0...1 ~= value else { return nil }
    self.value = value
  }
}
