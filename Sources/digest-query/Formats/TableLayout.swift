/// Where the columns of a table stand in lines of a width.
///
/// Texts give way, the longest first. Where that is not enough, a row takes several lines.
struct TableLayout {
  struct Column {
    /// How wide it wants to be, and how wide its name is.
    let width: Int
    let header: Int

    /// Whether it can be narrower: a number that is cut is another number.
    let isText: Bool

    /// How wide it has to be if a text may be cut down to a width.
    func minimum(_ readable: Int) -> Int {
      isText ? min(width, max(header, readable)) : width
    }
  }

  static let separator = "  "

  /// What the further lines of a row begin with.
  static let indent = "    "

  /// The least of a text that still says something.
  private static let readable = 16

  /// How wide each column is.
  private(set) var widths: [Int]

  /// The columns that stand in each line of a row.
  let lines: [Range<Int>]

  /// - Parameter width: how wide a line is; nil for one of any width.
  init(_ columns: [Column], fitting width: Int?) {
    widths = columns.map(\.width)
    guard let width else {
      lines = [columns.indices]
      return
    }
    func broken(_ readable: Int) -> [Range<Int>] {
      Self.lines(of: columns.map { $0.minimum(readable) }, fitting: width)
    }
    // As few lines as there can be, with no more cut than that takes.
    let least = broken(Self.readable)
    let readable =
      (Self.readable...max(Self.readable, width)).last { broken($0).count == least.count }
      ?? Self.readable
    lines = broken(readable)
    for line in lines {
      shrink(line, of: columns, to: Self.room(for: line, in: width))
    }
  }

  /// Puts in each line as many columns as it has room for, which is one at least.
  private static func lines(of widths: [Int], fitting width: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    for column in widths.indices {
      if let last = lines.last,
        widths[last.lowerBound...column].reduce(0, +)
          <= room(for: last.lowerBound..<column + 1, in: width)
      {
        lines[lines.count - 1] = last.lowerBound..<column + 1
      } else {
        lines.append(column..<column + 1)
      }
    }
    return lines
  }

  /// How much of a line is there for the texts of its columns.
  private static func room(for columns: Range<Int>, in width: Int) -> Int {
    width - (columns.lowerBound > 0 ? indent.count : 0) - (columns.count - 1) * separator.count
  }

  /// Narrows the widest columns of a line until all of them fit.
  private mutating func shrink(_ line: Range<Int>, of columns: [Column], to room: Int) {
    guard columns[line].map(\.width).reduce(0, +) > room else { return }
    // Where not even the minimums fit, in hardly a terminal, it wraps the line.
    let narrow =
      (Self.readable...max(Self.readable, room)).lazy
      .map { readable in columns[line].map { $0.minimum(readable) } }
      .last { $0.reduce(0, +) <= room } ?? columns[line].map { $0.minimum(Self.readable) }
    widths.replaceSubrange(line, with: narrow)
  }
}
