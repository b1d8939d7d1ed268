/// Reads the errors of a digest's row: the JSON of its entries, then that of its omissions, without
/// copying it.
///
/// Entries are `[[failure, index or key…, {"m": message, "t": type, "f": value}?]…]`, and omissions
/// `[[failure, count, {…}?]…]`.
struct EntryReader {
  /// Fields that an element omits because its failure stores the same value.
  struct OmittedFields: OptionSet {
    let rawValue: UInt8

    static let message = OmittedFields(rawValue: 1)
    static let found = OmittedFields(rawValue: 2)
  }

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
  }

  /// Whether the element is an omission.
  private(set) var isOmission = false

  private(set) var failure: Int64 = 0

  /// The number of errors; 1 for an entry.
  private(set) var count: Int64 = 1

  /// The arguments of an entry's path.
  private(set) var arguments: [Argument] = []

  /// Whether the element contains an object.
  private(set) var hasMembers = false
  private(set) var message = Member.absent
  private(set) var foundType = Member.absent
  private(set) var foundValue = Member.absent

  private var cursor: JSONCursor
  private let omissions: UnsafeRawBufferPointer
  private var isInside = false

  /// The bytes must stay valid as long as the reader is used.
  ///
  /// - Parameter omissions: empty if there are none.
  init(entries: UnsafeRawBufferPointer, omissions: UnsafeRawBufferPointer) {
    cursor = JSONCursor(entries)
    self.omissions = omissions
  }

  /// Moves to the next element.
  ///
  /// - Returns: false after the last one.
  /// - Throws: ``UnreadableRow`` when the JSON does not have this format.
  mutating func next() throws -> Bool {
    while true {
      if try isInside ? cursor.skip(",") : enterList() {
        try check(readElement())
        return true
      }
      try check(cursor.skip("]") && cursor.next == nil)
      guard !isOmission, !omissions.isEmpty else { return false }
      (cursor, isOmission, isInside) = (JSONCursor(omissions), true, false)
    }
  }

  var omittedFields: OmittedFields {
    var omitted: OmittedFields = []
    if case .absent = message { omitted.insert(.message) }
    // An omission never has its failure's found value.
    if !isOmission, case (.absent, .absent) = (foundType, foundValue) { omitted.insert(.found) }
    return omitted
  }

  /// Returns whether the list has elements.
  private mutating func enterList() throws -> Bool {
    try check(cursor.skip("["))
    isInside = true
    return cursor.next != UInt8(ascii: "]")
  }

  private mutating func readElement() -> Bool {
    arguments.removeAll(keepingCapacity: true)
    if hasMembers {
      (message, foundType, foundValue) = (.absent, .absent, .absent)
      hasMembers = false
    }
    guard cursor.skip("["), let failure = cursor.number() else { return false }
    self.failure = failure
    if isOmission {
      guard cursor.skip(","), let count = cursor.number(), count > 0 else { return false }
      self.count = count
    }
    while cursor.skip(",") {
      guard !hasMembers, readPart() else { return false }
    }
    return cursor.skip("]")
  }

  private mutating func readPart() -> Bool {
    switch cursor.next {
    case UInt8(ascii: "{"):
      hasMembers = true
      return readMembers()
    case UInt8(ascii: "\""):
      guard let text = cursor.text() else { return false }
      arguments.append(.text(text))
    default:
      guard let digits = cursor.digits() else { return false }
      arguments.append(.number(digits))
    }
    return true
  }

  private mutating func readMembers() -> Bool {
    var members = (message: Member.absent, foundType: Member.absent, foundValue: Member.absent)
    let isRead = cursor.members { cursor, name in
      guard let value = Member(&cursor) else { return false }
      switch name.count == 1 ? name[0] : 0 {
      case UInt8(ascii: "m"): members.message = value
      case UInt8(ascii: "t"): members.foundType = value
      case UInt8(ascii: "f"): members.foundValue = value
      default: break
      }
      return true
    }
    (message, foundType, foundValue) = members
    return isRead
  }

  private func check(_ isReadable: Bool) throws {
    if !isReadable { throw UnreadableRow("the entries cannot be read") }
  }
}

extension EntryReader.Member {
  fileprivate init?(_ cursor: inout JSONCursor) {
    switch cursor.next {
    case UInt8(ascii: "\""):
      guard let text = cursor.text() else { return nil }
      self = .text(text)
    case UInt8(ascii: "n"):
      guard cursor.null() else { return nil }
      self = .null
    default:
      guard cursor.digits() != nil else { return nil }
      self = .number
    }
  }
}
