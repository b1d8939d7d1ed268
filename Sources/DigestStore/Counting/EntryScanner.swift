/// Finds the failures in the JSON of a digest's entries or omissions, and reads nothing else of it.
///
/// `[[failure, …]…]` and `[[failure, count, …]…]`; what stands behind them may be any JSON, with
/// brackets in its strings.
struct EntryScanner {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// - Parameter bytes: must be there for as long as this is used.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Hands over each failure with how often it occurred.
  ///
  /// - Parameter isCounted: whether these are omissions.
  /// - Returns: false where this is not what it should be, and what was handed over not all.
  mutating func scan(isCounted: Bool, _ body: (_ failure: Int64, _ count: Int64) -> Void) -> Bool {
    guard skip("[") else { return false }
    guard !skip("]") else { return isAtEnd }
    repeat {
      guard skip("["), let failure = number() else { return false }
      var count: Int64 = 1
      if isCounted {
        guard skip(","), let number = number() else { return false }
        count = number
      }
      guard skipRest() else { return false }
      body(failure, count)
    } while skip(",")
    return skip("]") && isAtEnd
  }

  private var isAtEnd: Bool {
    mutating get {
      skipWhitespace()
      return position == bytes.count
    }
  }

  private mutating func skipWhitespace() {
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipWhitespace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Reads digits, behind which something else follows than the rest of a number.
  private mutating func number() -> Int64? {
    skipWhitespace()
    var number: Int64 = 0
    let start = position
    while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10
    {
      number = number &* 10 &+ Int64(digit)
      position += 1
    }
    // No more digits than fit, also when some thousand of them are added up.
    guard 1...12 ~= position - start else { return nil }
    skipWhitespace()
    guard position < bytes.count,
      bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: "]")
    else { return nil }
    return number
  }

  /// Moves behind the bracket that closes the list in which this stands.
  private mutating func skipRest() -> Bool {
    var depth = 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return true }
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "\""):
        guard skipString() else { return false }
      default: break
      }
    }
    return false
  }

  private mutating func skipString() -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return true }
    }
    return false
  }
}
