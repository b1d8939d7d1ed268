/// Reads the JSON of a digest's entries or omissions element by element, without copying it.
///
/// Entries are `[[failure, index or key…, {"m": message, "t": type, "f": value}?]…]`, and omissions
/// `[[failure, count, {…}?]…]`.
struct EntryReader {
  /// A member of an element's object.
  enum Member {
    case absent
    case null
    case number
    case text(JSONText)
  }

  /// An argument for one placeholder of a path.
  enum Argument {
    case number(UnsafeRawBufferPointer)
    case text(JSONText)

    var text: String {
      switch self {
      case .number(let digits): String(decoding: digits, as: UTF8.self)
      case .text(let text): text.text
      }
    }
  }

  private(set) var failure: Int64 = 0
  private(set) var arguments: [Argument] = []
  private(set) var message = Member.absent
  private(set) var foundType = Member.absent
  private(set) var foundValue = Member.absent

  /// Whether the element contains an object.
  private(set) var hasMembers = false

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var isInside = false

  /// - Parameter bytes: must stay valid as long as the reader is used. Empty bytes have no
  ///   elements.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Moves to the next element.
  ///
  /// - Returns: false after the last one.
  /// - Throws: ``UnreadableRow`` when the JSON does not have this format.
  mutating func next() throws -> Bool {
    guard !bytes.isEmpty else { return false }
    if isInside {
      guard skip(",") else { return try end() }
    } else {
      try expect("[")
      isInside = true
      skipWhitespace()
      if position < bytes.count, bytes[position] == UInt8(ascii: "]") { return try end() }
    }
    try readElement()
    return true
  }

  /// Returns the count of an omission.
  ///
  /// - Throws: ``UnreadableRow`` when the element has no count, or one that no store writes.
  func count() throws -> Int64 {
    guard case .number(let digits)? = arguments.first, let count = Self.integer(digits), count > 0
    else { throw Self.damage }
    return count
  }

  /// Whether all elements can be read.
  static func isReadable(_ bytes: UnsafeRawBufferPointer, isCounted: Bool) -> Bool {
    var reader = EntryReader(bytes)
    do {
      while try reader.next() {
        if isCounted { _ = try reader.count() }
      }
      return true
    } catch {
      return false
    }
  }

  private mutating func end() throws -> Bool {
    try expect("]")
    skipWhitespace()
    guard position == bytes.count else { throw Self.damage }
    return false
  }

  private mutating func readElement() throws {
    arguments.removeAll(keepingCapacity: true)
    if hasMembers {
      (message, foundType, foundValue) = (.absent, .absent, .absent)
      hasMembers = false
    }
    try expect("[")
    skipWhitespace()
    guard let failure = Self.integer(try number()) else { throw Self.damage }
    self.failure = failure
    while skip(",") {
      skipWhitespace()
      guard position < bytes.count, !hasMembers else { throw Self.damage }
      switch bytes[position] {
      case UInt8(ascii: "\""): arguments.append(.text(try text()))
      case UInt8(ascii: "{"): try readMembers()
      default: arguments.append(.number(try number()))
      }
    }
    try expect("]")
  }

  private mutating func readMembers() throws {
    try expect("{")
    hasMembers = true
    guard !skip("}") else { return }
    repeat {
      skipWhitespace()
      let name = try text().bytes
      try expect(":")
      skipWhitespace()
      let value = try member()
      guard name.count == 1 else { continue }
      switch name[0] {
      case UInt8(ascii: "m"): message = value
      case UInt8(ascii: "t"): foundType = value
      case UInt8(ascii: "f"): foundValue = value
      default: break
      }
    } while skip(",")
    try expect("}")
  }

  private mutating func member() throws -> Member {
    guard position < bytes.count else { throw Self.damage }
    switch bytes[position] {
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "n"):
      guard bytes[position...].starts(with: "null".utf8) else { throw Self.damage }
      position += 4
      return .null
    default:
      _ = try number()
      return .number
    }
  }

  /// Reads the digits of a non-negative whole number.
  private mutating func number() throws -> UnsafeRawBufferPointer {
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    guard start < position else { throw Self.damage }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  private mutating func text() throws -> JSONText {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw Self.damage }
    position += 1
    let start = position
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let slice = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        position += 1
        return JSONText(bytes: slice, hasEscapes: hasEscapes)
      }
      let isEscape = byte == UInt8(ascii: "\\")
      hasEscapes = hasEscapes || isEscape
      position += isEscape ? 2 : 1
    }
    throw Self.damage
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

  private mutating func expect(_ character: Unicode.Scalar) throws {
    guard skip(character) else { throw Self.damage }
  }

  private static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
    guard digits.count <= EntryScanner.maximumDigits else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 &- UInt8(ascii: "0")) }
  }

  private static let damage = UnreadableRow("the entries cannot be read")
}
