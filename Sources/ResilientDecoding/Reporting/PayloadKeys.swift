import ResilientPlatform

/// The keys of all objects in a JSON text, found without decoding the values.
///
/// A key is a string, or in JSON5 an identifier, that a colon follows.
struct PayloadKeys {
  private let bytes: [UInt8]
  private let allowsJSON5: Bool
  private var position = 0

  /// Returns the names of the keys; nil if the payload is not text.
  static func names(in payload: Data, allowsJSON5: Bool) -> Set<String>? {
    guard let text = String(body: payload) else { return nil }
    var keys = Self(bytes: Array(text.utf8), allowsJSON5: allowsJSON5)
    // Foundation reads escapes and identifiers: each key becomes an object with one member.
    let objects = keys.scan().map { Array("{".utf8) + $0 + Array(":0}".utf8) }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = allowsJSON5
    let names = try? decoder.decode(
      [Name].self,
      from: Data("[".utf8) + objects.joined(separator: ",".utf8) + Data("]".utf8))
    return names.map { Set($0.compactMap(\.text)) }
  }

  private init(bytes: [UInt8], allowsJSON5: Bool) {
    self.bytes = bytes
    self.allowsJSON5 = allowsJSON5
  }

  /// Returns the keys as they are in the text, with their quotes.
  private mutating func scan() -> Set<ArraySlice<UInt8>> {
    var keys: Set<ArraySlice<UInt8>> = []
    var token: ArraySlice<UInt8>?
    while position < bytes.endIndex {
      let start = position
      switch bytes[start] {
      case let byte where byte.isQuote && (allowsJSON5 || byte == UInt8(ascii: "\"")):
        skipString()
        token = bytes[start..<min(position, bytes.endIndex)]
      case UInt8(ascii: "/") where allowsJSON5:
        skipComment()
      case UInt8(ascii: ":"):
        if let token { keys.insert(token) }
        token = nil
        position += 1
      case let byte where byte.isWhiteSpace:
        position += 1
      case let byte where byte.isDelimiter:
        token = nil
        position += 1
      default:
        while position < bytes.endIndex, !bytes[position].isDelimiter { position += 1 }
        token = allowsJSON5 ? bytes[start..<position] : nil
      }
    }
    return keys
  }

  private mutating func skipString() {
    let quote = bytes[position]
    position += 1
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == quote { return }
    }
  }

  /// Skips a comment to the end of its line, or to `*/`.
  private mutating func skipComment() {
    let isLine = bytes[position...].dropFirst().first == UInt8(ascii: "/")
    let end = Array((isLine ? "\n" : "*/").utf8)
    position = min(position + 2, bytes.endIndex)
    while position < bytes.endIndex, !bytes[position...].starts(with: end) { position += 1 }
    position = min(position + end.count, bytes.endIndex)
  }

  /// A key, or nothing if it is no text, such as half a surrogate.
  private struct Name: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      text = try? decoder.singleValueContainer().decode([String: Int].self).keys.first
    }
  }
}

extension UInt8 {
  fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
  fileprivate var isWhiteSpace: Bool { " \t\r\n".utf8.contains(self) }
  fileprivate var isDelimiter: Bool { isQuote || isWhiteSpace || "{}[],:/".utf8.contains(self) }
}
