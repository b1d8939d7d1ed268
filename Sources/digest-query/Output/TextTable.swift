/// A table for people, with aligned columns and numbers to the right.
struct TextTable<Element> {
  private var columns: [Column<Element>]
  private var rows: [[Cell]] = []

  init(_ columns: [Column<Element>]) {
    self.columns = columns
  }

  mutating func append(_ element: Element) {
    rows.append(columns.map { $0.cell(element) })
  }

  /// Leaves out the columns without a value that may be.
  mutating func removeEmptyColumns() {
    keep(
      columns.indices.filter { column in
        !columns[column].isOmittedIfEmpty || rows.contains { $0[column].plain != nil }
      })
  }

  private mutating func keep(_ kept: [Int]) {
    guard kept.count < columns.count else { return }
    columns = kept.map { columns[$0] }
    rows = rows.map { row in kept.map { row[$0] } }
  }

  /// Formats the table as lines of text.
  ///
  /// - Parameters:
  ///   - width: the columns of the terminal; nil for no limit.
  ///   - headings: the heading of each row, which stands once above rows with the same one; empty
  ///     for none.
  /// - Returns: the lines with their breaks, and a note if something does not fit.
  func text(
    isColored: Bool, fitting width: Int? = nil, under headings: [String] = []
  ) -> (String, note: String?) {
    let table = layout(isColored: isColored, fitting: width)
    var text = table.header
    for index in table.rows {
      if !headings.isEmpty, index == 0 || headings[index] != headings[index - 1] {
        text += headings[index].bold(isColored) + "\n"
      }
      text += table.lines(ofRow: index)
    }
    return (text, table.note)
  }

  /// Computes the widths of the columns. Drops columns in their order until a row fits on one line.
  /// Formats rows one at a time, because they may be long.
  ///
  /// - Parameter width: the columns of the terminal; nil for no limit.
  func layout(isColored: Bool, fitting width: Int? = nil) -> Layout {
    let layout = layoutOfWholeNames(isColored: isColored, fitting: width)
    guard layout.note != nil else { return layout }
    return withoutCommonPrefixes.layoutOfWholeNames(isColored: isColored, fitting: width)
  }

  /// The table whose names lack the modules that all of a column share.
  private var withoutCommonPrefixes: Self {
    var table = self
    for column in columns.indices where columns[column].losesCommonPrefix {
      let names = rows.compactMap { $0[column].plain }
      guard names.count == rows.count, let first = names.first else { continue }
      var prefix = first[...(first.lastIndex(of: ".") ?? first.startIndex)]
      while !prefix.isEmpty, !names.allSatisfy({ $0.hasPrefix(prefix) }) {
        let rest = prefix.dropLast()
        prefix = rest[..<(rest.lastIndex(of: ".").map(rest.index(after:)) ?? rest.startIndex)]
      }
      guard prefix.hasSuffix(".") else { continue }
      for row in rows.indices {
        table.rows[row][column] = .text(String(names[row].dropFirst(prefix.count)))
      }
    }
    return table
  }

  private func layoutOfWholeNames(isColored: Bool, fitting width: Int?) -> Layout {
    let places = columns.indices.map { column in
      isNumeric(column) ? rows.reduce(0) { max($0, $1[column].forTable.placesAfterPoint) } : 0
    }
    var widest = columns.map(\.name.count)
    for row in rows {
      for (column, text) in texts(of: row, places).enumerated() {
        widest[column] = max(widest[column], text.terminalWidth)
      }
    }
    if width == nil { widest = widest.map { min($0, Self.maximumPadding) } }
    let (kept, widths) = fit(widest, to: width ?? .max)
    var table = self
    table.keep(kept)
    let isCut = zip(kept, widths).contains { columns[$0].cut != nil && $1 < widest[$0] }
    let omitted = columns.count - kept.count
    let note =
      omitted > 0
      ? "\(omitted) of \(columns.count) columns left out: | less -S shows all, --columns some"
      : isCut ? "cut to fit: | less -S shows all" : nil
    return Layout(
      table: table, widths: widths, places: kept.map { places[$0] }, isColored: isColored,
      note: note, isWhole: width == nil)
  }

  /// The most columns to which texts are padded where no text is cut. Otherwise one value of 64 KiB
  /// would make each row that long.
  private static var maximumPadding: Int { 200 }

  private static var separator: String { "  " }

  /// The least width of a text that is still useful, and of one in a table of columns without an
  /// order alone.
  private static var readable: Int { 16 }
  private static var barelyReadable: Int { 12 }

  /// Drops columns in their order until at least one is left, and cuts texts, longest first.
  ///
  /// - Parameter widest: the width of the widest cell of each column.
  private func fit(_ widest: [Int], to width: Int) -> (kept: [Int], widths: [Int]) {
    func widths(of kept: [Int], _ readable: Int) -> [Int] {
      kept.map { column in
        // A number or a picture must not be cut.
        isText(column)
          ? min(widest[column], max(columns[column].name.count, readable)) : widest[column]
      }
    }
    func fits(_ widths: [Int]) -> Bool {
      widths.reduce((widths.count - 1) * Self.separator.utf8.count, +) <= width
    }
    let order = columns.indices.sorted {
      (columns[$0].dropOrder ?? .max, $1) < (columns[$1].dropOrder ?? .max, $0)
    }
    var kept = Array(columns.indices)
    for next in order.dropLast() {
      let isExtra = columns[next].dropOrder != nil
      guard !fits(widths(of: kept, isExtra ? Self.readable : Self.barelyReadable)) else { break }
      kept.removeAll { $0 == next }
    }
    let most = max(Self.barelyReadable, min(widest.max() ?? 0, width))
    let readable = (Self.barelyReadable...most).last { fits(widths(of: kept, $0)) }
    return (kept, widths(of: kept, readable ?? Self.barelyReadable))
  }

  /// A table whose columns have widths.
  struct Layout {
    fileprivate let table: TextTable
    fileprivate let widths: [Int]
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
        $0.bold(isColored) + "\n"
      }
      .joined()
    }

    /// The lines of a row, with their breaks.
    func lines(ofRow index: Int) -> String {
      let row = table.rows[index]
      let isEmpty = isColored ? row.map { $0.plain == nil } : []
      return lines(of: table.texts(of: row, places), dim: isEmpty).map { $0 + "\n" }.joined()
    }

    /// The lines of a row: one, or more where a text is wrapped.
    ///
    /// - Parameter dim: which texts only mean that there is no value.
    private func lines(of texts: [String], dim: [Bool] = []) -> [String] {
      let cells = texts.indices.map { column in
        guard !isWhole else { return [texts[column]] }
        return table.columns[column].cut.map { [texts[column].cut(to: widths[column], at: $0)] }
          ?? texts[column].wrapped(to: widths[column])
      }
      return (0..<(cells.map(\.count).max() ?? 0)).map { index in
        let padded = cells.enumerated().map { column, texts in
          let text = index < texts.count ? texts[index] : ""
          let isDim = !dim.isEmpty && dim[column] && !text.isEmpty
          let shown = isDim ? "\u{1B}[2m\(text)\u{1B}[0m" : text
          let space = String(repeating: " ", count: max(0, widths[column] - text.terminalWidth))
          return table.isNumeric(column) ? space + shown : shown + space
        }
        let line = padded.joined(separator: TextTable.separator)
        // No spaces follow the last text, so that lines can be copied.
        let blanks = line.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        return String(decoding: line.utf8.dropLast(blanks), as: UTF8.self)
      }
    }
  }

  /// The texts of a row. The points of a column's numbers stand below each other.
  private func texts(of row: [Cell], _ places: [Int]) -> [String] {
    row.indices.map { column in
      let text = row[column].forTable
      guard row[column].plain != nil else { return text }
      return text + String(repeating: " ", count: max(0, places[column] - text.placesAfterPoint))
    }
  }

  private func isNumeric(_ column: Int) -> Bool {
    switch rows.first?[column] {
    case .number?, .decimal?, .fraction?: true
    default: false
    }
  }

  private func isText(_ column: Int) -> Bool {
    if case .text? = rows.first?[column] { true } else { false }
  }
}

extension String {
  /// The text in bold if the terminal has colors.
  func bold(_ isColored: Bool) -> String { isColored ? "\u{1B}[1m\(self)\u{1B}[0m" : self }
}

extension String {
  /// The length of what follows the whole number: decimals with their point, and a percent sign.
  fileprivate var placesAfterPoint: Int {
    utf8.drop { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "%") }.count
  }
}

extension Cell {
  /// The cell for people: times to the second, three digits, shares in percent, and a dash for no
  /// value.
  fileprivate var forTable: String {
    switch self {
    case .text(let text): text.map(\.visible) ?? "-"
    case .time(let date?): date.second
    case .decimal(let number?): number.threeDigits
    case .fraction(let share?): share.percent
    default: plain ?? "-"
    }
  }
}
