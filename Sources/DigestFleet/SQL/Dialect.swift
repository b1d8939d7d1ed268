import DigestStore

/// Translates the SQL of reports and pushes, which is that of SQLite.
///
/// | SQLite | PostgreSQL |
/// |---|---|
/// | `:name` | `$1` |
/// | `a CROSS JOIN b ON …`, which keeps the order | `a JOIN b ON …` |
/// | `x GLOB :pattern` | `x LIKE $1`, with other wildcards in the value |
/// | `SELECT value FROM json_each(:list)` | `SELECT value FROM unnest($1) AS value` |
struct Dialect {
  /// The statement.
  private(set) var sql = ""

  /// The names of its parameters, in their order.
  private(set) var parameters: [String] = []

  init(_ text: String) {
    var rest = Substring(text).utf8
    var output: [UInt8] = []
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        output += Self.takeQuoted(&rest, byte)
      case UInt8(ascii: "-") where rest.dropFirst().first == byte:
        while let next = rest.first, next != UInt8(ascii: "\n") { rest.removeFirst() }
      case UInt8(ascii: ":"):
        rest.removeFirst()
        output += place(of: ":" + Self.takeWord(&rest)).utf8
      case _ where Self.isPartOfWord(byte):
        let word = Self.takeWord(&rest)
        switch word {
        case "GLOB": output += "LIKE".utf8
        case "CROSS" where Self.hasCondition(rest): break
        case "json_each": output += takeList(&rest).utf8
        default: output += word.utf8
        }
      default:
        output.append(byte)
        rest.removeFirst()
      }
    }
    sql = String(decoding: output, as: UTF8.self)
  }

  /// Returns the number of a parameter, which may occur several times.
  private mutating func place(of name: String) -> String {
    if let index = parameters.firstIndex(of: name) { return "$\(index + 1)" }
    parameters.append(name)
    return "$\(parameters.count)"
  }

  /// Takes the argument of `json_each`, a list.
  private mutating func takeList(_ rest: inout Substring.UTF8View) -> String {
    // ( : name )
    rest.removeFirst(2)
    let name = Self.takeWord(&rest)
    rest.removeFirst()
    return "unnest(\(place(of: ":" + name))) AS value"
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func takeWord(_ rest: inout Substring.UTF8View) -> String {
    let word = rest.prefix(while: isPartOfWord)
    rest.removeFirst(word.count)
    return String(Substring(word))
  }

  /// Takes a string or a quoted name. A doubled quote is the end of one and the beginning of another.
  private static func takeQuoted(
    _ rest: inout Substring.UTF8View, _ quote: UInt8
  ) -> [UInt8] {
    let length = rest.dropFirst().prefix { $0 != quote }.count + 2
    let text = Array(rest.prefix(length))
    rest.removeFirst(min(length, rest.count))
    return text
  }

  /// Whether the join that follows has a condition.
  private static func hasCondition(_ rest: Substring.UTF8View) -> Bool {
    var rest = rest
    var depth = 0
    var words = 0
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): _ = takeQuoted(&rest, byte)
      case UInt8(ascii: "("):
        depth += 1
        rest.removeFirst()
      case UInt8(ascii: ")"):
        depth -= 1
        if depth < 0 { return false }
        rest.removeFirst()
      case _ where isPartOfWord(byte):
        let word = takeWord(&rest)
        words += 1
        guard depth == 0, words > 1 else { continue }
        switch word {
        case "ON": return true
        case "CROSS", "JOIN", "LEFT", "WHERE", "GROUP", "ORDER", "UNION", "LIMIT", "HAVING":
          return false
        default: break
        }
      default: rest.removeFirst()
      }
    }
    return false
  }
}
