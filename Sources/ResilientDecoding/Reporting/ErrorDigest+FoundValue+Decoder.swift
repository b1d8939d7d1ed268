#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ErrorDigest.FoundValue {
  /// How much of a string is kept: enough to recognise it, however long it is.
  private static let maximumLength = 1_000

  /// Looks at a place again, after an error.
  ///
  /// It only asks for what every decoder can be asked for, and has no word of an error's text.
  ///
  /// - Parameters:
  ///   - path: the way to the place from that of the decoder.
  ///   - decoder: a decoder of what was recovered from.
  /// - Returns: nil when there is nothing, or nothing that JSON has a word for.
  init?(at path: ArraySlice<any CodingKey>, below decoder: any Decoder) {
    guard let key = path.first else {
      self.init(of: decoder)
      return
    }
    guard let next = decoder.decoder(at: key) else { return nil }
    self.init(at: path.dropFirst(), below: next)
  }

  private init?(of decoder: any Decoder) {
    if let container = try? decoder.singleValueContainer(),
      let scalar = decoder.hasTypedScalars
        ? Self(typedScalar: container) : Self(textScalar: container, of: decoder)
    {
      self = scalar
    } else if (try? decoder.unkeyedContainer()) != nil {
      self.init(type: .array, text: nil)
    } else if (try? decoder.container(keyedBy: DictionaryKey.self)) != nil {
      self.init(type: .object, text: nil)
    } else {
      return nil
    }
  }

  /// Reads a scalar where a number is no string and a string no number, as in JSON.
  private init?(typedScalar container: any SingleValueDecodingContainer) {
    if container.decodeNil() {
      self.init(type: .null, text: nil)
    } else if let string = try? container.decode(String.self) {
      self.init(type: .string, text: string.cut(to: Self.maximumLength))
    } else if let boolean = try? container.decode(Bool.self) {
      self.init(type: .boolean, text: String(boolean))
    } else if let number = container.number {
      self.init(type: .number, text: number)
    } else {
      return nil
    }
  }

  /// Reads a scalar where each is a string, which may look like something else, as in YAML and XML.
  private init?(textScalar container: any SingleValueDecodingContainer, of decoder: any Decoder) {
    if container.decodeNil() {
      self.init(type: .null, text: nil)
      return
    }
    guard let string = try? container.decode(String.self) else {
      self.init(typedScalar: container)
      return
    }
    // An element of XML that holds others is an empty string too.
    let names = string.isEmpty ? try? decoder.container(keyedBy: DictionaryKey.self).allKeys : nil
    if names?.contains(where: { !$0.stringValue.isEmpty }) == true { return nil }
    let text = string.cut(to: Self.maximumLength)
    if (try? container.decode(Double.self)) != nil {
      self.init(type: .number, text: text)
    } else if (try? container.decode(Bool.self)) != nil {
      self.init(type: .boolean, text: text)
    } else {
      self.init(type: .string, text: text)
    }
  }
}

extension SingleValueDecodingContainer {
  /// The digits of a number, none of them lost.
  var number: String? {
    if let number = try? decode(Decimal.self) { return number.description }
    // A decoder that takes `Decimal` for a structure.
    if let number = try? decode(Int64.self) { return String(number) }
    if let number = try? decode(UInt64.self) { return String(number) }
    return (try? decode(Double.self)).map { String($0) }
  }
}

extension Decoder {
  /// A decoder of what stands under a key or an index, if anything does.
  fileprivate func decoder(at key: any CodingKey) -> (any Decoder)? {
    if case .index(let index) = ErrorDigest.Path.Component(key) {
      guard var container = try? unkeyedContainer() else { return nil }
      while container.currentIndex < index {
        guard container.skip(from: container.currentIndex) else { return nil }
      }
      return try? container.superDecoder()
    }
    let key = DictionaryKey(stringValue: key.stringValue)
    return (try? container(keyedBy: DictionaryKey.self))?.decoder(at: key)
  }
}

extension String {
  /// At most `length` scalars of the string, with a mark where it goes on.
  fileprivate func cut(to length: Int) -> String {
    guard
      let end = unicodeScalars.index(
        unicodeScalars.startIndex, offsetBy: length, limitedBy: unicodeScalars.endIndex
      ), end < unicodeScalars.endIndex
    else { return self }
    return String(unicodeScalars[..<end]) + "…"
  }
}
