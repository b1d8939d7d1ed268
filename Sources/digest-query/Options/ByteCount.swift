import ArgumentParser

/// How many bytes, on a command line: `1048576`, `16M` or `16MiB`.
enum ByteCount {
  /// Powers of 1024, as file systems count.
  private static let units = ["": 0, "k": 10, "m": 20, "g": 30, "t": 40]

  /// Reads a number of bytes.
  ///
  /// - Throws: a `ValidationError` with examples.
  static func read(_ argument: String) throws -> Int {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    var unit = argument.dropFirst(digits.count).lowercased()
    if unit.hasSuffix("ib"), unit.count == 3 { unit.removeLast(2) }
    guard let count = Int(digits), let power = units[unit],
      case (let bytes, let isTooMany) = count.multipliedReportingOverflow(by: 1 << power),
      !isTooMany
    else {
      throw ValidationError("write bytes, as 16777216, 16M or 16MiB: K, M and G are powers of 1024")
    }
    return bytes
  }
}
