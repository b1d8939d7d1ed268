import ResilientPlatform

extension ErrorDigest {
  /// What the payload holds where an error occurred: the type and, for a scalar, the value.
  ///
  /// Two found values are equal if their types and the Unicode scalars of their texts are equal.
  public struct FoundValue: Sendable, Hashable, Codable {
    /// The type of a value, as JSON names it (RFC 8259, section 3), whatever the format is; or what
    /// a whole body is that isn't JSON.
    public enum ValueType: String, Sendable, Hashable, Codable, CaseIterable {
      /// `null`.
      case null
      /// `true` or `false`.
      case boolean
      /// A number, whole or not.
      case number
      /// A string.
      case string
      /// An array; its elements are not kept.
      case array
      /// An object, or dictionary; its members are not kept.
      case object
      /// A body that is HTML, such as the error page of a proxy.
      case html
      /// A body without text, or with white space only.
      case empty
      /// A body of JSON that ends before its value is complete.
      case truncated
      /// A body that is still compressed, by gzip or Zstandard.
      case compressed
      /// A body in UTF-16 or UTF-32 that isn't JSON.
      case utf16

      /// Whether this is what a whole body is, and not the type of a value.
      package var isOfBody: Bool { messageOfBody != nil }

      /// Whether a found value of this type may have a text.
      package var mayHaveText: Bool { self == .boolean || self == .number || self == .string }
    }

    /// The type of the value.
    public let type: ValueType

    /// The value of a string, number or boolean; nil for null, an array and an object, for a body
    /// that isn't JSON, for a string that is not Unicode, and for a number that fits in no type.
    ///
    /// Numbers have their digits without an exponent if a `Decimal` can hold them. Numbers of JSON5
    /// that are not finite are `NaN`, `Infinity` and `-Infinity`.
    ///
    /// A string of more than 1,000 Unicode scalars is cut to 1,000, followed by `…`.
    public let text: String?

    /// Whether the value contains other values.
    var isContainer: Bool { type == .array || type == .object }

    /// Creates a found value, for example to replace another one.
    public init(type: ValueType, text: String?) {
      self.type = type
      self.text = text
    }

    /// Compares type and text, the text by its Unicode scalars: precomposed and decomposed letters
    /// differ.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      guard lhs.type == rhs.type, let text = lhs.text, let other = rhs.text else {
        return lhs.type == rhs.type && lhs.text == nil && rhs.text == nil
      }
      return text.hasSameScalars(as: other)
    }
  }
}

extension ErrorDigest.FoundValue.ValueType {
  /// Recognizes a body that isn't JSON by its bytes; nil if it is something else.
  init?(ofBody body: Data) {
    let prefix = body.prefix(4)
    if prefix.starts(with: [0x1f, 0x8b]) || prefix.elementsEqual([0x28, 0xb5, 0x2f, 0xfd]) {
      self = .compressed
      return
    }
    let encoding = String.Encoding(ofJSON: body)
    // Bytes of UTF-8 need not be valid: a body may end within a character.
    let text =
      encoding == .utf8
      ? [UInt8](body) : String(data: body, encoding: encoding).map { Array($0.utf8) }
    let content = text?.withoutByteOrderMark.drop { $0.isWhiteSpace }
    if content?.isEmpty == true {
      self = .empty
    } else if content?.isHTML == true {
      self = .html
    } else if content?.isTruncatedJSON == true {
      self = .truncated
    } else if encoding != .utf8 {
      self = .utf16
    } else {
      return nil
    }
  }

  /// Says what a body is, without text of the payload; nil for the type of a value.
  ///
  /// The messages of decoders differ between platforms, and most say nothing.
  var messageOfBody: String? {
    switch self {
    case .empty: "The body is empty."
    case .html: "The body is HTML, not JSON."
    case .truncated: "The JSON ends before its value is complete."
    case .compressed: "The body is compressed."
    case .utf16: "The body is in UTF-16 or UTF-32, and isn't JSON."
    case .null, .boolean, .number, .string, .array, .object: nil
    }
  }
}

extension String.Encoding {
  /// The encoding of a body, if it is JSON, by its first bytes.
  fileprivate init(ofJSON body: Data) {
    let prefix = [UInt8](body.prefix(4))
    // Without a mark, ASCII in one of the others has zeros (RFC 4627, section 3).
    self =
      switch prefix {
      case [0, 0, 0xfe, 0xff], [0xff, 0xfe, 0, 0]: .utf32
      case _ where prefix.starts(with: [0xfe, 0xff]) || prefix.starts(with: [0xff, 0xfe]): .utf16
      case _ where prefix.starts(with: [0, 0, 0]): .utf32BigEndian
      case _ where prefix.dropFirst() == [0, 0, 0]: .utf32LittleEndian
      case _ where prefix.first == 0: .utf16BigEndian
      case _ where prefix.dropFirst().first == 0: .utf16LittleEndian
      default: .utf8
      }
  }
}

extension [UInt8] {
  fileprivate var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self[...]
  }
}

extension ArraySlice<UInt8> {
  /// Whether this is HTML, as a browser finds it (the WHATWG's MIME Sniffing Standard, section 7.1),
  /// even after the declaration of XML.
  fileprivate var isHTML: Bool {
    guard first == UInt8(ascii: "<") else { return false }
    var text = String(decoding: prefix(1_000), as: UTF8.self).lowercased()[...]
    if text.hasPrefix("<?"), let end = text.firstIndex(of: ">") {
      text = text[end...].dropFirst().drop { $0.isWhitespace }
    }
    let names = [
      "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b",
      "body", "br", "p",
    ]
    let name = text.dropFirst().prefix { $0 != ">" && !$0.isWhitespace }
    return text.hasPrefix("<!--") || text.hasPrefix("<!doctype html")
      || names.contains(String(name))
  }

  /// Whether this is the beginning of an object, an array or a string of JSON (RFC 8259) that does
  /// not end. Bytes that JSON never has there, such as `'`, make it something else.
  fileprivate var isTruncatedJSON: Bool {
    var closers: [UInt8] = []
    var isInString = false
    var isEscaped = false
    for byte in self {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInString: isEscaped = true
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): closers.append(byte + 2)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard closers.popLast() == byte else { return false }
      default:
        guard byte.isWhiteSpace || ",:+-.0123456789eEtrufalsn".utf8.contains(byte) else {
          return false
        }
      }
      // The value is complete, or it is none of these.
      if closers.isEmpty, !isInString { return false }
    }
    return true
  }
}

extension UInt8 {
  fileprivate var isWhiteSpace: Bool { " \t\r\n".utf8.contains(self) }
}
