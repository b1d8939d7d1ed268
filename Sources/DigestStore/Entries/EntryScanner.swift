/// Finds the failures in the JSON of a digest's entries or omissions, and the fields that each
/// omits.
///
/// The JSON is `[[failure, …]…]` or `[[failure, count, …]…]`. The rest of each element may be any
/// JSON, with brackets in its strings.
struct EntryScanner {
  /// Fields that an entry omits because its failure stores the same value.
  struct LeftOut: OptionSet {
    let rawValue: UInt8

    static let message = LeftOut(rawValue: 1)
    static let found = LeftOut(rawValue: 2)
  }

  /// The largest number of digits in a number. Small enough to add up millions of numbers.
  static let maximumDigits = 12

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// - Parameter bytes: must stay valid as long as the scanner is used.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Passes each failure with its count and omitted fields to `body`.
  ///
  /// - Parameter isCounted: whether the JSON contains omissions. They never use the failure's found
  ///   value.
  /// - Returns: false if the JSON is malformed; then `body` received only some failures.
  mutating func scan(
    isCounted: Bool,
    _ body: (_ failure: Int64, _ count: Int64, _ leftOut: LeftOut) -> Void
  ) -> Bool {
    guard skip("[") else { return false }
    guard !skip("]") else { return isAtEnd }
    repeat {
      guard skip("["), let failure = number() else { return false }
      var count: Int64 = 1
      if isCounted {
        guard skip(","), let number = number() else { return false }
        count = number
      }
      var leftOut: LeftOut = isCounted ? .message : [.message, .found]
      guard skipRest(&leftOut) else { return false }
      body(failure, count, leftOut)
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

  /// Reads a whole number that is followed by `,` or `]`.
  private mutating func number() -> Int64? {
    skipWhitespace()
    var number: Int64 = 0
    let start = position
    while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10
    {
      number = number &* 10 &+ Int64(digit)
      position += 1
    }
    guard 1...Self.maximumDigits ~= position - start else { return nil }
    skipWhitespace()
    guard position < bytes.count,
      bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: "]")
    else { return nil }
    return number
  }

  /// Skips the rest of the current element, with its closing bracket.
  private mutating func skipRest(_ leftOut: inout LeftOut) -> Bool {
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
      case UInt8(ascii: "{") where depth == 1:
        guard skipMembers(&leftOut) else { return false }
      default: break
      }
    }
    return false
  }

  /// Skips an element's own object, with its closing brace, and notes which members it has.
  private mutating func skipMembers(_ leftOut: inout LeftOut) -> Bool {
    var depth = 1
    var isName = true
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return byte == UInt8(ascii: "}") }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ","): isName = depth == 1
      case UInt8(ascii: "\""):
        let start = position
        guard skipString() else { return false }
        // One letter and the closing quotation mark.
        if isName, position - start == 2 { leftOut.subtract(Self.said(by: bytes[start])) }
        isName = false
      default: break
      }
    }
    return false
  }

  /// The field that a member of this name stores.
  private static func said(by member: UInt8) -> LeftOut {
    switch member {
    case UInt8(ascii: "m"): .message
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .found
    default: []
    }
  }

  private mutating func skipString() -> Bool {
    // A local copy stays in a register.
    var position = position
    defer { self.position = position }
    while position < bytes.count {
      let byte = bytes[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return true }
    }
    return false
  }
}
