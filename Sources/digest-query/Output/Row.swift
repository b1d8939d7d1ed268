import ResilientPlatform

/// A row of a report. It says its columns, and nothing about how they are printed.
protocol OutputRow {
  static var columns: [Column<Self>] { get }

  /// The columns of a table for people, where these differ from the columns for programs.
  static var tableColumns: [Column<Self>] { get }
}

extension OutputRow {
  static var tableColumns: [Column<Self>] { columns }
}

/// A column: its name, and the cell that each element has in it.
struct Column<Element> {
  let name: String

  /// The part of a text to drop where a terminal is too narrow; nil to wrap the text instead.
  var cut: String.CutPosition? = .end

  /// Whether a table for people leaves the column out if no row has a value.
  var isOmittedIfEmpty = false

  /// Whether a table that does not fit leaves out the modules that all names of the column share.
  var losesCommonPrefix = false

  /// The order in which a narrow terminal drops columns, from 1. Those without a number go last, from
  /// the right.
  var dropOrder: Int?

  let cell: (Element) -> Cell

  /// The same column for a type that contains the element.
  func of<Container>(_ element: @escaping (Container) -> Element) -> Column<Container> {
    Column<Container>(
      name: name, cut: cut, isOmittedIfEmpty: isOmittedIfEmpty,
      losesCommonPrefix: losesCommonPrefix, dropOrder: dropOrder
    ) { cell(element($0)) }
  }

  /// The same column, which a table for people leaves out if no row has a value.
  var omittedIfEmpty: Self {
    var column = self
    column.isOmittedIfEmpty = true
    return column
  }

  /// The same column, whose names lose the modules that all of them share where they do not fit.
  var withoutCommonPrefix: Self {
    var column = self
    column.losesCommonPrefix = true
    return column
  }

  /// The same column, which a narrow table drops before those with larger numbers.
  func dropped(at dropOrder: Int?) -> Self {
    var column = self
    column.dropOrder = dropOrder
    return column
  }

  static func text(
    _ name: String,
    cut: String.CutPosition? = .end,
    _ text: @escaping (Element) -> String?
  ) -> Self {
    Self(name: name, cut: cut) { .text(text($0)) }
  }

  static func number(_ name: String, _ number: @escaping (Element) -> Int?) -> Self {
    Self(name: name) { .number(number($0)) }
  }

  static func decimal(_ name: String, _ number: @escaping (Element) -> Double?) -> Self {
    Self(name: name) { .decimal(number($0)) }
  }

  /// A share of a whole: programs read a fraction, and people percent.
  static func share(_ name: String, _ share: @escaping (Element) -> Double?) -> Self {
    Self(name: name) { .fraction(share($0)) }
  }

  static func time(_ name: String, _ date: @escaping (Element) -> Date?) -> Self {
    Self(name: name) { .time(date($0)) }
  }

  static func flag(_ name: String, _ flag: @escaping (Element) -> Bool?) -> Self {
    Self(name: name) { .flag(flag($0)) }
  }

  static func drawing(_ name: String, _ text: @escaping (Element) -> String) -> Self {
    Self(name: name) { .drawing(text($0)) }
  }
}

/// One value of a row.
enum Cell: Equatable {
  case text(String?)
  /// A picture made of characters, in tables only.
  case drawing(String)
  /// A count; nil if it is unknown.
  case number(Int?)
  /// A factor, printed with up to three decimals, or three digits for people; nil if there is none.
  case decimal(Double?)
  /// A share, printed with up to six decimals, or in percent for people; nil if there is none.
  case fraction(Double?)
  case flag(Bool?)
  case time(Date?)

  /// The value as every format has it, without the format's escapes; nil if there is none.
  var plain: String? {
    switch self {
    case .text(let text): text
    case .drawing(let text): text
    case .number(let number): number.map { "\($0)" }
    case .decimal(let number): number?.decimal
    case .fraction(let share): share?.fraction
    case .flag(let flag): flag.map { "\($0)" }
    case .time(let date): date?.iso8601
    }
  }
}
