/// A value to bind or to read.
enum SQLiteValue: Hashable {
  case null
  case integer(Int64)
  case text(String)

  init(_ text: String?) {
    self = text.map { .text($0) } ?? .null
  }

  init(_ integer: Int64?) {
    self = integer.map { .integer($0) } ?? .null
  }
}
