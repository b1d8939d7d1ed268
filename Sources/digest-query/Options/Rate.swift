import ArgumentParser

/// A share of decodes on the command line: `0.5%` or `0.005`.
struct Rate {
  /// From 0 to 1.
  let value: Double

  /// Reads a percentage, or a fraction below 1: a `1` may be meant as either.
  ///
  /// - Throws: a `ValidationError` with examples.
  init(argument: String) throws {
    let isPercent = argument.hasSuffix("%")
    let number = Double(isPercent ? String(argument.dropLast()) : argument)
    guard let number, isPercent ? 0...100 ~= number : 0..<1 ~= number else {
      throw ValidationError("write a percentage such as 0.5%, or a fraction below 1 such as 0.005")
    }
    // 0.7 / 100 is not the number nearest to 0.007; 0.7e-2 is.
    value = isPercent ? Double("\(argument.dropLast())e-2") ?? number / 100 : number
  }
}
