/// The layout of a table's columns in lines of a given width.
///
/// Texts are narrowed, longest first. If that is not enough, a row takes several lines.
struct TableLayout {
  struct LaidOutColumn {
    /// The width of the widest cell, and of the name.
    let width: Int
    let header: Int

    /// Whether the column may be narrowed. A number must not be cut.
    let isText: Bool

    /// The minimum width if a text may be cut to `readable` columns.
    func minimum(_ readable: Int) -> Int {
      isText ? min(width, max(header, readable)) : width
    }
  }

  static let separator = "  "

  /// The most columns to which texts are padded where no text is cut. Otherwise one value of 64 KiB
  /// would make each row that long.
  static let maximumPadding = 200

  /// The indentation of a row's further lines.
  static let indent = "    "

  /// The minimum of a text that is still useful, in columns.
  private static let readable = 16

  /// The minimum if a row then takes one line.
  private static let barelyReadable = 12

  /// The width of each column.
  private(set) var widths: [Int]

  /// The columns in each line of a row.
  let lines: [Range<Int>]

  /// - Parameters:
  ///   - width: the width of a line; nil for any width.
  ///   - minimum: the least width to which a text is cut.
  init(_ columns: [LaidOutColumn], fitting width: Int?, readable minimum: Int = readable) {
    widths = columns.map(\.width)
    guard let width else {
      lines = [columns.indices]
      return
    }
    func broken(_ readable: Int) -> [Range<Int>] {
      Self.lines(of: columns.map { $0.minimum(readable) }, fitting: width)
    }
    // As few lines as possible, and within that the widest texts.
    let least = broken(minimum)
    let readable =
      (minimum...max(minimum, width)).last { broken($0).count == least.count } ?? minimum
    lines = broken(readable)
    for line in lines {
      shrink(line, of: columns, to: Self.room(for: line, in: width))
    }
  }

  /// A layout whose texts are narrower if a row then takes one line.
  static func ofOneLine(_ columns: [LaidOutColumn], fitting width: Int?) -> Self {
    let layout = Self(columns, fitting: width)
    guard layout.lines.count > 1 else { return layout }
    let narrow = Self(columns, fitting: width, readable: barelyReadable)
    return narrow.lines.count == 1 ? narrow : layout
  }

  /// Fills each line with as many columns as fit, at least one.
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

  /// The room of a line for the texts of its columns.
  private static func room(for columns: Range<Int>, in width: Int) -> Int {
    width - (columns.lowerBound > 0 ? indent.count : 0) - (columns.count - 1) * separator.count
  }

  /// Narrows the widest columns of a line until all of them fit.
  private mutating func shrink(_ line: Range<Int>, of columns: [LaidOutColumn], to room: Int) {
    guard columns[line].map(\.width).reduce(0, +) > room else { return }
    // If not even the minimums fit, the terminal wraps the line.
    let narrow =
      (Self.barelyReadable...max(Self.barelyReadable, room)).lazy
      .map { readable in columns[line].map { $0.minimum(readable) } }
      .last { $0.reduce(0, +) <= room } ?? columns[line].map { $0.minimum(Self.readable) }
    widths.replaceSubrange(line, with: narrow)
  }
}
