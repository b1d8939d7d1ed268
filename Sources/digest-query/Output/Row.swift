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
  var name: String

  /// The part of a text to drop where a terminal is too narrow; nil to wrap the text instead.
  let cut: String.CutPosition?

  /// Whether a table for people leaves the column out if no row has a value.
  var isOmittedIfEmpty = false

  /// Whether a table that does not fit leaves out the modules that all names of the column share.
  var losesCommonPrefix = false

  /// The place of the column among those that a terminal too narrow for a row leaves out, the first
  /// one at 1; nil for a column that is never left out.
  var dropOrder: Int?

  /// Whether a table for people has the cells in tenths of percent; nil if they are no shares.
  var isInTenths: Bool?

  var cell: (Element) -> Cell

  /// The same column for a type that contains the element.
  func of<Container>(_ element: @escaping (Container) -> Element) -> Column<Container> {
    Column<Container>(
      name: name, cut: cut, isOmittedIfEmpty: isOmittedIfEmpty,
      losesCommonPrefix: losesCommonPrefix, dropOrder: dropOrder, isInTenths: isInTenths
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
    Self(name: name, cut: .end) { .number(number($0)) }
  }

  static func decimal(_ name: String, _ number: @escaping (Element) -> Double?) -> Self {
    Self(name: name, cut: .end) { .decimal(number($0)) }
  }

  /// A share of a whole: programs read a fraction, and people percent.
  static func share(
    _ name: String, inTenths isInTenths: Bool = false, _ share: @escaping (Element) -> Double?
  ) -> Self {
    Self(name: name, cut: .end, isInTenths: isInTenths) { .fraction(share($0)) }
  }

  /// The column of a table for people.
  var forTable: Self {
    guard let isInTenths else { return self }
    var column = self
    column.name += "_%"
    column.cell = { [cell] element in
      switch cell(element) {
      case .fraction(let share), .decimal(let share):
        .decimal(share.map { isInTenths ? ($0 * 1_000).rounded() / 10 : $0 * 100 })
      case let other: other
      }
    }
    return column
  }

  static func time(_ name: String, _ date: @escaping (Element) -> Date?) -> Self {
    Self(name: name, cut: .end) { .time(date($0)) }
  }

  static func drawing(_ name: String, _ text: @escaping (Element) -> String) -> Self {
    Self(name: name, cut: .end) { .drawing(text($0)) }
  }
}

/// One value of a row.
enum Cell: Equatable {
  case text(String?)
  /// A picture made of characters, in tables only.
  case drawing(String)
  /// A count; nil if it is unknown.
  case number(Int?)
  /// A percentage or a factor, printed with up to three decimals; nil if there is none.
  case decimal(Double?)
  /// A share for programs, printed with up to six decimals; nil if there is none.
  case fraction(Double?)
  case flag(Bool)
  case time(Date?)

  /// The value as every format has it, without the format's escapes; nil if there is none.
  var plain: String? {
    switch self {
    case .text(let text): text
    case .drawing(let text): text
    case .number(let number): number.map { "\($0)" }
    case .decimal(let number): number?.decimal
    case .fraction(let share): share?.fraction
    case .flag(let flag): "\(flag)"
    case .time(let date): date?.iso8601
    }
  }
}
