/// A line of a table: texts padded to the widths of their columns.
///
/// No spaces follow the last text, so that lines can be copied.
struct TableLine {
  private static let spaces = String(repeating: " ", count: 128)

  private(set) var text = ""

  /// The number of spaces before the next text, if there is one.
  private var space: Int

  init(indent: String) {
    space = indent.utf8.count
  }

  /// - Parameters:
  ///   - width: the width of the column.
  ///   - isNumeric: whether to align the text to the right.
  ///   - isDim: whether to dim the text on a terminal.
  mutating func add(_ text: String, width: Int, isNumeric: Bool, isDim: Bool) {
    let missing = max(0, width - text.terminalWidth)
    if isNumeric { space += missing }
    let blanks = text.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
    if blanks < text.utf8.count {
      addSpace()
      let shown = Substring(text.unicodeScalars.dropLast(blanks))
      if isDim { self.text += "\u{1B}[2m\(shown)\u{1B}[0m" } else { self.text += shown }
      space = 0
    }
    space += blanks
    if !isNumeric { space += missing }
    space += TableLayout.separator.utf8.count
  }

  private mutating func addSpace() {
    if space <= Self.spaces.utf8.count {
      text += Self.spaces.prefix(space)
    } else {
      text += String(repeating: " ", count: space)
    }
  }
}
