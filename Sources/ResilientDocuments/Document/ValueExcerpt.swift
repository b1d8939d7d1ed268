import ResilientDecoding

/// The beginning of a value in one line, in a notation like JSON with sorted keys.
///
/// Its cost depends on its length, not on the size of the value: it reads no more elements than it
/// shows, and only the keys of an object that it does not show.
struct ValueExcerpt {
  static let maximumLength = 200
  private static let maximumDepth = 4
  private static let maximumWork = 50_000
  /// There is no room for more: each member takes two quotes, a colon, a comma, two spaces, and a
  /// value.
  private static let maximumMembers = maximumLength / 6

  private(set) var text = ""
  private var room = maximumLength
  private var isCut = false

  private let reader: ValueReader

  init(of decoder: any Decoder) {
    reader = ValueReader(decoder)
    write(decoder, depth: 0)
  }

  private mutating func write(_ decoder: any Decoder, depth: Int) {
    // Deep in a payload, where each read is expensive, fewer are made.
    guard reader.work < Self.maximumWork else { return write("…") }
    switch reader.shape(of: decoder) {
    case .scalar(let scalar): write(scalar.excerpt(maximumLength: room))
    case .object(let members): write(members, depth: depth)
    case .array(let elements): write(elements, depth: depth)
    case .other: write(DocumentValue(nonJSONOf: decoder).excerpt(maximumLength: room))
    }
  }

  private mutating func write(_ members: KeyedDecodingContainer<PathKey>, depth: Int) {
    guard depth < Self.maximumDepth else { return write("{…}") }
    var separator = "{"
    for name in members.allKeys.map(\.stringValue).sorted().prefix(Self.maximumMembers) {
      write(separator)
      write(name.excerpt(maximumLength: room))
      write(": ")
      // A failure is not thrown: the excerpt is already part of an error.
      write(try? members.superDecoder(forKey: PathKey(name)), depth: depth + 1)
      if isCut { return }
      separator = ", "
    }
    write(separator == "{" ? "{}" : "}")
  }

  private mutating func write(_ elements: any UnkeyedDecodingContainer, depth: Int) {
    guard depth < Self.maximumDepth else { return write("[…]") }
    var elements = elements
    var separator = "["
    while !elements.isAtEnd {
      write(separator)
      // As for a member.
      write(try? elements.superDecoder(), depth: depth + 1)
      if isCut { return }
      separator = ", "
    }
    write(separator == "[" ? "[]" : "]")
  }

  private mutating func write(_ decoder: (any Decoder)?, depth: Int) {
    if let decoder { write(decoder, depth: depth) } else { write("…") }
  }

  /// Appends as much as there is room for, in scalars: a hostile character can have thousands.
  private mutating func write(_ addition: String) {
    guard !isCut else { return }
    let scalars = addition.unicodeScalars.prefix(room + 1)
    isCut = scalars.count > room
    text.unicodeScalars += scalars.prefix(room)
    room -= min(room, scalars.count)
    if isCut { text += "…" }
  }
}

extension DocumentValue {
  fileprivate func excerpt(maximumLength: Int) -> String {
    switch withoutText {
    case .null: "null"
    case .boolean(let boolean): "\(boolean)"
    case .number(let text): text
    case .string(let string), .text(let string, _): string.excerpt(maximumLength: maximumLength)
    case .date(let date): "\(date)"
    case .data(let data): "\(data.count) bytes"
    case .array, .object, .unreadable: "…"
    }
  }
}

extension String {
  /// The text in quotes, cut to just above the maximum length.
  fileprivate func excerpt(maximumLength: Int) -> String {
    String(UnicodeScalarView(unicodeScalars.prefix(maximumLength + 1))).jsonQuoted.onOneLine
  }
}
