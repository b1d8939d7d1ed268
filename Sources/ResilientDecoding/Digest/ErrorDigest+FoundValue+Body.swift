import ResilientPlatform

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
