/// A value to bind to a statement, or to read from SQLite.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  /// A pattern in which `*` matches any text and `?` any character, for the right side of `GLOB`.
  case pattern(String)

  /// Lists, for `IN (SELECT value FROM json_each(:name))`.
  case integers([Int64])
  case texts([String])

  package init(_ text: String?) {
    self = text.map { .text($0) } ?? .null
  }

  package init(_ integer: Int64?) {
    self = integer.map { .integer($0) } ?? .null
  }
}

extension [String: SQLValue] {
  /// Returns the value of a parameter.
  ///
  /// - Throws: ``MissingValue`` if there is none. SQL would treat it as null, and the answer would be wrong.
  package func value(of parameter: String) throws -> SQLValue {
    guard let value = self[parameter] else { throw MissingValue(parameter: parameter) }
    return value
  }
}

/// A parameter of a statement that has no value: a mistake in the code that runs the statement.
package struct MissingValue: Error, CustomStringConvertible {
  let parameter: String

  package var description: String { "a statement has no value for \(parameter)" }
}

extension [Int64] {
  /// The list as a JSON array.
  var jsonArray: String { "[\(map(String.init).joined(separator: ","))]" }
}

extension [String] {
  /// The list as a JSON array.
  var jsonArray: String {
    var bytes: [UInt8] = []
    for text in self {
      bytes.append(UInt8(ascii: bytes.isEmpty ? "[" : ","))
      bytes.append(json: text)
    }
    return bytes.isEmpty ? "[]" : String(decoding: bytes + [UInt8(ascii: "]")], as: UTF8.self)
  }
}
