/// A table for people, with aligned columns and numbers to the right.
struct TextTable<Element> {
  private var columns: [Column<Element>]
  private var rows: [[Cell]] = []

  init(_ columns: [Column<Element>]) {
    self.columns = columns.map(\.forTable)
  }

  mutating func append(_ element: Element) {
    rows.append(columns.map { $0.cell(element) })
  }

  /// Leaves out the columns without a value that may be.
  mutating func removeEmptyColumns() {
    keep(
      columns.indices.filter { column in
        !columns[column].isOmittedIfEmpty || rows.contains { !$0[column].isEmpty }
      })
  }

  private mutating func keep(_ kept: [Int]) {
    guard kept.count < columns.count else { return }
    columns = kept.map { columns[$0] }
    rows = rows.map { row in kept.map { row[$0] } }
  }

  /// Formats the table as lines of text.
  ///
  /// - Parameter width: the columns of the terminal; nil for no limit.
  /// - Returns: the lines with their breaks, and a note if something does not fit.
  func text(isColored: Bool, fitting width: Int? = nil) -> (String, note: String?) {
    let table = layout(isColored: isColored, fitting: width)
    let text = table.rows.reduce(into: table.header) { $0 += table.lines(ofRow: $1) }
    return (text, table.note)
  }

  /// Computes the widths of the columns. Drops columns in their order until a row fits on one line.
  /// Formats rows one at a time, because they may be long.
  ///
  /// - Parameter width: the columns of the terminal; nil for no limit.
  func layout(isColored: Bool, fitting width: Int? = nil) -> Layout {
    let places = columns.indices.map { column in
      isDecimal(column) ? rows.reduce(0) { max($0, $1[column].forTable.decimalPlaces) } : 0
    }
    var widths = columns.map(\.name.count)
    for row in rows {
      for (column, text) in texts(of: row, places).enumerated() {
        widths[column] = max(widths[column], text.terminalWidth)
      }
    }
    let measured = columns.indices.map { column in
      TableLayout.LaidOutColumn(
        width: width == nil ? min(widths[column], TableLayout.maximumPadding) : widths[column],
        header: columns[column].name.count,
        isText: isText(column)
      )
    }
    let kept = columnsToKeep(measured, fitting: width)
    let layout = TableLayout.ofOneLine(kept.map { measured[$0] }, fitting: width)
    var table = self
    table.keep(kept)
    let isCut = kept.enumerated().contains { index, column in
      width != nil && layout.widths[index] < widths[column] && columns[column].cut != nil
    }
    let omitted = columns.count - kept.count
    let note =
      omitted > 0
      ? "\(omitted) of \(columns.count) columns left out to fit: | less -S shows all, --columns some"
      : isCut ? "cut to fit: | less -S shows all" : nil
    return Layout(
      table: table, layout: layout, places: kept.map { places[$0] }, isColored: isColored,
      note: note, isWhole: width == nil)
  }

  private func columnsToKeep(_ measured: [TableLayout.LaidOutColumn], fitting width: Int?) -> [Int]
  {
    var kept = Array(columns.indices)
    let droppable = kept.compactMap { column in columns[column].dropOrder.map { (column, $0) } }
      .sorted { $0.1 < $1.1 }
    for (column, _) in droppable {
      guard TableLayout(kept.map { measured[$0] }, fitting: width).lines.count > 1 else { break }
      kept.removeAll { $0 == column }
    }
    return kept
  }

  /// A table whose columns have widths.
  struct Layout {
    fileprivate let table: TextTable
    fileprivate let layout: TableLayout
    fileprivate let places: [Int]
    fileprivate let isColored: Bool

    /// What does not fit; nil if everything does.
    let note: String?

    /// Whether no text may be cut. A longer one than its column is not padded.
    fileprivate let isWhole: Bool

    var rows: Range<Int> { table.rows.indices }

    /// The names of the columns, with line breaks.
    var header: String {
      lines(of: table.columns.map(\.name)).map {
        isColored ? "\u{1B}[1m\($0)\u{1B}[0m\n" : "\($0)\n"
      }
      .joined()
    }

    /// The lines of a row, with their breaks.
    func lines(ofRow index: Int) -> String {
      let row = table.rows[index]
      let isEmpty = isColored ? row.map(\.isEmpty) : []
      return lines(of: table.texts(of: row, places), dim: isEmpty).map { $0 + "\n" }.joined()
    }

    /// The lines of a row.
    ///
    /// - Parameter dim: which texts only mean that there is no value.
    private func lines(of texts: [String], dim: [Bool] = []) -> [String] {
      layout.lines.flatMap { range in
        let cells = range.map { column in
          guard !isWhole else { return [texts[column]] }
          let width = layout.widths[column]
          return table.columns[column].cut.map { [texts[column].cut(to: width, at: $0)] }
            ?? texts[column].wrapped(to: width)
        }
        let height = cells.map(\.count).max() ?? 0
        return (0..<height).map { index in
          var line = TableLine(indent: range.lowerBound > 0 ? TableLayout.indent : "")
          for (column, texts) in zip(range, cells) {
            line.add(
              index < texts.count ? texts[index] : "", width: layout.widths[column],
              isNumeric: table.isNumeric(column),
              isDim: !dim.isEmpty && dim[column])
          }
          return line.text
        }
      }
    }
  }

  /// The texts of a row. All decimal numbers of a column have the same number of places.
  private func texts(of row: [Cell], _ places: [Int]) -> [String] {
    row.indices.map { column in
      let text = row[column].forTable
      let missing = places[column] - text.decimalPlaces
      guard missing > 0, row[column] != .decimal(nil) else { return text }
      return text.decimalPlaces > 0
        ? text + String(repeating: "0", count: missing)
        : "\(text)." + String(repeating: "0", count: missing - 1)
    }
  }

  private func isDecimal(_ column: Int) -> Bool {
    if case .decimal? = rows.first?[column] { true } else { false }
  }

  private func isNumeric(_ column: Int) -> Bool {
    switch rows.first?[column] {
    case .number?, .decimal?: true
    default: false
    }
  }

  private func isText(_ column: Int) -> Bool {
    switch rows.first?[column] {
    case .text?, .drawing?: true
    default: false
    }
  }
}

extension String {
  /// The number of decimal places, with the point.
  fileprivate var decimalPlaces: Int {
    utf8.firstIndex(of: UInt8(ascii: ".")).map { utf8.distance(from: $0, to: utf8.endIndex) } ?? 0
  }
}

extension Cell {
  /// The cell for people: times to the second, and a dash for no value.
  fileprivate var forTable: String {
    switch self {
    case .text(let text): text.map(\.visible) ?? "-"
    case .drawing(let text): text
    case .number(let number): number.map { "\($0)" } ?? "-"
    case .decimal(let number): number?.decimal ?? "-"
    case .fraction(let share): share?.fraction ?? "-"
    case .flag(let flag): "\(flag)"
    case .time(let date): date?.second ?? "-"
    }
  }

  fileprivate var isEmpty: Bool {
    [.text(nil), .number(nil), .decimal(nil), .fraction(nil), .time(nil)].contains(self)
  }
}

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
