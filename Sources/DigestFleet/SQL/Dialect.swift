import DigestStore

/// Translates the SQL of reports and pushes, which is that of SQLite.
///
/// | SQLite | PostgreSQL | ClickHouse |
/// |---|---|---|
/// | `:name` | `$1` | a literal |
/// | `a CROSS JOIN b ON …`, which keeps the order | `a JOIN b ON …` | the same |
/// | `x GLOB :pattern` | `x LIKE $1`, with other wildcards in the value | the same |
/// | `FROM json_each(:list)` | `FROM unnest($1) AS value` | `FROM (SELECT arrayJoin([…]) AS value)` |
/// | `a / b`, unless `b` is a `CAST` to reals | | `a DIV b` |
/// | `count(…)`, which has a sign | | `toInt64(count(…))` |
/// | `WITH a AS MATERIALIZED (…)` | | `WITH a AS (…)` |
/// | `(VALUES (1, 2), …)`, of pairs of integers | | `(SELECT * FROM values('column1 Int64, column2 Int64', (1, 2), …))` |
struct Dialect {
  /// How a database differs from SQLite.
  enum Database {
    case postgreSQL

    /// - Parameter literal: the literal for the value of a parameter.
    case clickHouse(literal: (_ parameter: String) -> String)
  }

  private let database: Database

  /// The statement.
  private(set) var sql = ""

  /// The names of its parameters, in their order.
  private(set) var parameters: [String] = []

  init(_ text: String, for database: Database) {
    self.database = database
    var rest = Substring(text).utf8
    sql = String(decoding: translate(&rest, isInParentheses: false), as: UTF8.self)
  }

  /// Translates the rest. In parentheses, stops before the closing one.
  private mutating func translate(
    _ rest: inout Substring.UTF8View, isInParentheses: Bool
  ) -> [UInt8] {
    var output: [UInt8] = []
    var depth = 0
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: ")") where isInParentheses && depth == 0:
        return output
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        output += Self.takeQuoted(&rest, byte)
      case UInt8(ascii: "-") where rest.dropFirst().first == byte:
        while let next = rest.first, next != UInt8(ascii: "\n") { rest.removeFirst() }
      case UInt8(ascii: ":"):
        rest.removeFirst()
        output += place(of: ":" + Self.takeWord(&rest)).utf8
      case UInt8(ascii: "/"):
        rest.removeFirst()
        let isOfReals = rest.drop { $0 == UInt8(ascii: " ") }.starts(with: "CAST".utf8)
        output += isClickHouse && !isOfReals ? Array("DIV".utf8) : [byte]
      case _ where byte.isPartOfWord:
        output += takeWord(&rest)
      default:
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        output.append(byte)
        rest.removeFirst()
      }
    }
    return output
  }

  private var isClickHouse: Bool {
    if case .clickHouse = database { true } else { false }
  }

  /// Translates a word, and what belongs to it.
  private mutating func takeWord(_ rest: inout Substring.UTF8View) -> [UInt8] {
    let word = Self.takeWord(&rest)
    switch word {
    case "GLOB": return Array("LIKE".utf8)
    case "CROSS": return []
    case "json_each": return Array(takeList(&rest).utf8)
    case "MATERIALIZED" where isClickHouse: return []
    case "count" where isClickHouse && rest.first == UInt8(ascii: "("):
      rest.removeFirst()
      return Array("toInt64(count(".utf8) + translate(&rest, isInParentheses: true)
        + [UInt8(ascii: ")")]
    case "VALUES" where isClickHouse:
      return Array("SELECT * FROM values('column1 Int64, column2 Int64',".utf8)
        + translate(&rest, isInParentheses: true) + [UInt8(ascii: ")")]
    default: return Array(word.utf8)
    }
  }

  /// Returns what takes the place of a parameter, which may occur several times.
  private mutating func place(of name: String) -> String {
    let index = parameters.firstIndex(of: name) ?? parameters.count
    if index == parameters.count { parameters.append(name) }
    if case .clickHouse(let literal) = database { return literal(name) }
    return "$\(index + 1)"
  }

  /// Takes the argument of `json_each`, a list.
  private mutating func takeList(_ rest: inout Substring.UTF8View) -> String {
    // ( : name )
    rest.removeFirst(2)
    let name = Self.takeWord(&rest)
    rest.removeFirst()
    let list = place(of: ":" + name)
    return isClickHouse ? "(SELECT arrayJoin(\(list)) AS value)" : "unnest(\(list)) AS value"
  }

  private static func takeWord(_ rest: inout Substring.UTF8View) -> String {
    let word = rest.prefix(while: \.isPartOfWord)
    rest.removeFirst(word.count)
    return String(Substring(word))
  }

  /// Takes a string or a quoted name. A doubled quote is the end of one and the beginning of
  /// another.
  private static func takeQuoted(
    _ rest: inout Substring.UTF8View, _ quote: UInt8
  ) -> [UInt8] {
    let length = rest.dropFirst().prefix { $0 != quote }.count + 2
    let text = Array(rest.prefix(length))
    rest.removeFirst(min(length, rest.count))
    return text
  }
}

extension UInt8 {
  /// Whether it is a letter, a digit or `_`.
  var isPartOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension String {
  /// The pattern for `LIKE` of one for `GLOB`.
  var likePattern: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "*": text += "%"
      case "?": text += "_"
      case "%", "_", "\\":
        text += "\\"
        text.unicodeScalars.append(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
