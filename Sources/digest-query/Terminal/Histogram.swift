import DigestStore
import ResilientPlatform

/// Numbers as bars of block elements, or of ASCII where the locale has no others.
struct Histogram {
  private static let eighths = Array("▏▎▍▌▋▊▉█")
  private static let levels = Array("▁▂▃▄▅▆▇█")
  private static let asciiLevels = Array("_.:-=+*#")

  /// The length of the longest bar, in columns.
  let width: Int

  /// Whether bars may contain more than ASCII.
  let isUnicode: Bool

  init(width: Int = 30, isUnicode: Bool = Self.localeIsUnicode) {
    self.width = width
    self.isUnicode = isUnicode
  }

  /// A bar for a number in proportion to the largest one. Any number above 0 is visible.
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

  /// A line with one character for each number, or for several numbers if there are too many. The
  /// lowest level is 0, and a gap means that a number is unknown.
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

  /// Whether the locale is UTF-8 (POSIX, "Internationalization Variables").
  static var localeIsUnicode: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let values = names.map { (name: String) in getenv(name).map { String(cString: $0) } ?? "" }
    let locale = (values.first { !$0.isEmpty } ?? "").uppercased()
    return locale.hasSuffix("UTF-8") || locale.hasSuffix("UTF8")
  }
}
