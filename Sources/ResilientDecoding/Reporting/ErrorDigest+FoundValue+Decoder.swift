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
    if case .dictionaryKey = ErrorDigest.Path.Component(key),
      let entry = SoughtEntry.look(for: path, in: decoder)
    {
      self = entry
      return
    }
    guard let next = decoder.decoder(at: key) else { return nil }
    self.init(at: path.dropFirst(), below: next)
  }

  /// Nil where a decoder can make nothing of it: the error that it belongs to is reported without.
  private init?(of decoder: any Decoder) {
    if let scalar = decoder.scalar {
      self.init(type: scalar.type, text: scalar.text?.cut(to: Self.maximumLength))
    } else if (try? decoder.container(keyedBy: DictionaryKey.self)) != nil {
      // Asked first, for an element of XML can be had as an array of those in it as well.
      self.init(type: .object, text: nil)
    } else if (try? decoder.unkeyedContainer()) != nil {
      self.init(type: .array, text: nil)
    } else {
      return nil
    }
  }
}

extension Decoder {
  /// The scalar in this place, with all of its text; null has none.
  var scalar: (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    // A decoder that has no such container has another one.
    guard let container = try? singleValueContainer() else { return nil }
    if container.decodeNil() { return (.null, nil) }
    return hasTypedScalars ? container.typedScalar : textScalar(in: container)
  }

  /// Reads a scalar where each is a string, which may look like something else, as in YAML and XML.
  private func textScalar(
    in container: any SingleValueDecodingContainer
  ) -> (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    // Whether a type can be decoded is what is asked, here and below.
    guard let string = try? container.decode(String.self) else { return container.typedScalar }
    // An element of XML that holds others is an empty string too.
    let names = string.isEmpty ? try? self.container(keyedBy: DictionaryKey.self).allKeys : nil
    if names?.contains(where: { !$0.stringValue.isEmpty }) == true { return nil }
    if (try? container.decode(Double.self)) != nil { return (.number, string) }
    if (try? container.decode(Bool.self)) != nil { return (.boolean, string) }
    return (.string, string)
  }
}

extension SingleValueDecodingContainer {
  /// Reads a scalar where a number is no string and a string no number, as in JSON.
  ///
  /// It is of the type that can be decoded, and a failed attempt says that it is of another one.
  fileprivate var typedScalar: (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    if let string = try? decode(String.self) { return (.string, string) }
    if let boolean = try? decode(Bool.self) { return (.boolean, String(boolean)) }
    return number
  }

  /// A number, and its digits unless it is too large for any type.
  private var number: (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    if let number = try? decode(Decimal.self) { return (.number, number.description) }
    // A decoder that takes `Decimal` for a structure.
    if let number = try? decode(Int64.self) { return (.number, String(number)) }
    if let number = try? decode(UInt64.self) { return (.number, String(number)) }
    do {
      return (.number, String(try decode(Double.self)))
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      return nil
    } catch {
      // Of all that is wrong with a number, only its size is left.
      return (.number, nil)
    }
  }
}

extension Decoder {
  /// A decoder of what stands under a key or an index, if anything does.
  ///
  /// Where none can be had, the error that is being reported goes without what was found.
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

/// The entry of a dictionary that is looked for; of the others nothing is decoded.
///
/// A strategy for keys changes those of a keyed container, and only there: the keys in a path, which
/// are data, are found in a dictionary.
private struct SoughtEntry: Decodable {
  @TaskLocal private static var path: ArraySlice<any CodingKey> = []

  private let found: ErrorDigest.FoundValue?

  init(from decoder: any Decoder) throws {
    let path = Self.path
    found =
      decoder.codingPath.last?.stringValue == path.first?.stringValue
      ? ErrorDigest.FoundValue(at: path.dropFirst(), below: decoder) : nil
  }

  /// - Returns: nil when there is no such entry, or no dictionary.
  static func look(
    for path: ArraySlice<any CodingKey>,
    in decoder: any Decoder
  ) -> ErrorDigest.FoundValue? {
    $path.withValue(path) {
      // What is no dictionary is looked at in another way.
      let entries = try? decoder.singleValueContainer().decode([String: SoughtEntry].self)
      return path.first.flatMap { entries?[$0.stringValue]?.found }
    }
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
