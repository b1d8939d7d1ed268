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
        !columns[column].isOmittedIfEmpty || rows.contains { !$0[column].isEmpty }
      })
  }

  private mutating func keep(_ kept: [Int]) {
    guard kept.count < columns.count else { return }
    columns = kept.map { columns[$0] }
    rows = rows.map { row in kept.map { row[$0] } }
  }

  /// Leaves out columns until a row takes one line, as far as columns may be left out.
  ///
  /// - Returns: the number of columns that are left out.
  private mutating func removeColumns(toFit width: Int) -> Int {
    let measured = measured(texts())
    var kept = Array(columns.indices)
    let omissible = kept.compactMap { column in columns[column].omission.map { (column, $0) } }
      .sorted { $0.1 < $1.1 }
    for (column, _) in omissible {
      guard TableLayout(kept.map { measured[$0] }, fitting: width).lines.count > 1 else { break }
      kept.removeAll { $0 == column }
    }
    defer { keep(kept) }
    return columns.count - kept.count
  }

  private func texts() -> [[String]] { pointsAligned(rows.map { $0.map(\.forTable) }) }

  private func measured(_ body: [[String]]) -> [TableLayout.Column] {
    columns.indices.map { column in
      let header = columns[column].name.count
      return TableLayout.Column(
        width: body.reduce(header) { max($0, $1[column].terminalWidth) },
        header: header,
        isText: isText(column)
      )
    }
  }

  /// Formats the table as lines of text.
  ///
  /// - Parameter width: the columns of the terminal; nil for no limit.
  /// - Returns: the lines with their breaks, and a note if something does not fit.
  func text(isColored: Bool, fitting width: Int? = nil) -> (String, note: String?) {
    guard let width, columns.contains(where: { $0.omission != nil }) else {
      return wholeText(isColored: isColored, fitting: width)
    }
    var table = self
    let omitted = table.removeColumns(toFit: width)
    let (text, note) = table.wholeText(isColored: isColored, fitting: width)
    guard omitted > 0 else { return (text, note) }
    return (
      text,
      "\(omitted) of \(columns.count) columns do not fit: --wide shows all, --columns some"
    )
  }

  /// Formats all columns.
  private func wholeText(isColored: Bool, fitting width: Int?) -> (String, note: String?) {
    let names = columns.map(\.name)
    let body = texts()
    let layoutColumns = measured(body)
    var layout = TableLayout(layoutColumns, fitting: width)
    if layout.lines.count > 1 {
      let narrow = TableLayout(layoutColumns, fitting: width, readable: TableLayout.barelyReadable)
      if narrow.lines.count == 1 { layout = narrow }
    }
    var text = lines(of: names, layout).map {
      isColored ? "\u{1B}[1m\($0)\u{1B}[0m\n" : "\($0)\n"
    }
    .joined()
    for (row, texts) in zip(rows, body) {
      let isEmpty = isColored ? row.map(\.isEmpty) : []
      for line in lines(of: texts, layout, dim: isEmpty) { text += line + "\n" }
    }
    let isCut = columns.indices.contains {
      layout.widths[$0] < layoutColumns[$0].width && columns[$0].cut != nil
    }
    return (text, isCut ? "cut to fit; --wide shows all" : nil)
  }

  /// The lines of a row.
  ///
  /// - Parameter dim: which texts only mean that there is no value.
  private func lines(of texts: [String], _ layout: TableLayout, dim: [Bool] = []) -> [String] {
    layout.lines.flatMap { range in
      let cells = range.map { column in
        let width = layout.widths[column]
        return columns[column].cut.map { [texts[column].cut(to: width, at: $0)] }
          ?? texts[column].wrapped(to: width)
      }
      let height = cells.map(\.count).max() ?? 0
      return (0..<height).map { index in
        var line = TableLine(indent: range.lowerBound > 0 ? TableLayout.indent : "")
        for (column, texts) in zip(range, cells) {
          line.add(
            index < texts.count ? texts[index] : "", width: layout.widths[column],
            isNumeric: isNumeric(column),
            isDim: !dim.isEmpty && dim[column])
        }
        return line.text
      }
    }
  }

  /// Pads all decimal numbers of a column to the same number of places.
  private func pointsAligned(_ texts: [[String]]) -> [[String]] {
    func places(_ text: String) -> Int {
      text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) } ?? 0
    }
    var texts = texts
    for column in columns.indices where isDecimal(column) {
      let most = texts.reduce(0) { max($0, places($1[column])) }
      for row in texts.indices where rows[row][column] != .decimal(nil) {
        let text = texts[row][column]
        let missing = most - places(text)
        guard missing > 0 else { continue }
        let zeros =
          places(text) > 0
          ? String(repeating: "0", count: missing)
          : "." + String(repeating: "0", count: missing - 1)
        texts[row][column] = text + zeros
      }
    }
    return texts
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
