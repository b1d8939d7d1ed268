import DigestStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Numbers as bars: of block elements where they can be shown, else of ASCII.
struct Histogram {
  private static let eighths = Array("▏▎▍▌▋▊▉█")
  private static let levels = Array("▁▂▃▄▅▆▇█")
  private static let asciiLevels = Array("_.:-=+*#")

  /// How long the longest bar is, in columns.
  let width: Int

  /// Whether there may be more than ASCII.
  let isUnicode: Bool

  init(width: Int = 30, isUnicode: Bool = Self.localeIsUnicode) {
    self.width = width
    self.isUnicode = isUnicode
  }

  /// A bar as long as a number's share of the largest one; what is there at all can be seen.
  func bar(_ number: Int, of most: Int) -> String {
    guard number > 0, most > 0 else { return "" }
    let steps = isUnicode ? 8 : 1
    let share = Double(number) / Double(most)
    let length = max(1, Int((share * Double(width * steps)).rounded()))
    guard isUnicode else { return String(repeating: "#", count: length) }
    let rest = length % steps
    return String(repeating: "█", count: length / steps)
      + (rest == 0 ? "" : String(Self.eighths[rest - 1]))
  }

  /// A line of one character for each number, or for several where there are too many; the lowest
  /// one is zero, and a gap stands for numbers of which one is not known.
  func line(_ numbers: [Int?]) -> String {
    let step = max(1, (numbers.count + width - 1) / width)
    let sums = stride(from: 0, to: numbers.count, by: step).map { start -> Int? in
      let part = numbers[start..<min(start + step, numbers.count)]
      return part.contains(nil) ? nil : part.sum { $0 ?? 0 }
    }
    let most = Double(sums.compactMap(\.self).max() ?? 0)
    let levels = isUnicode ? Self.levels : Self.asciiLevels
    return String(
      sums.map { sum in
        guard let sum else { return " " }
        return sum <= 0 ? levels[0] : levels[max(1, Int((Double(sum) / most * 7).rounded()))]
      })
  }

  /// What the locale says of the terminal (POSIX, "Internationalization Variables").
  static var localeIsUnicode: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let values = names.map { (name: String) in getenv(name).map { String(cString: $0) } ?? "" }
    let locale = (values.first { !$0.isEmpty } ?? "").uppercased()
    return locale.hasSuffix("UTF-8") || locale.hasSuffix("UTF8")
  }
}
