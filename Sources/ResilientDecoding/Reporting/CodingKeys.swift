// Coding keys of this library. Decoders keep their own types of keys private.

/// The index of an array's element.
package struct IndexKey: CodingKey {
  private let index: Int

  package init(_ index: Int) { self.index = index }

  package var stringValue: String { "Index \(index)" }
  package var intValue: Int? { index }

  package init?(stringValue: String) { nil }
  package init?(intValue: Int) { self.init(intValue) }
}

/// A key of any name. In a path it marks a dictionary's key, which is data.
struct DictionaryKey: DynamicCodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    self.intValue = Int(stringValue)
  }

  init(intValue: Int) {
    self.stringValue = String(intValue)
    self.intValue = intValue
  }
}

/// A key of any name, without an integer value.
package struct PathKey: CodingKey {
  package let stringValue: String

  package init(_ stringValue: String) { self.stringValue = stringValue }

  package var intValue: Int? { nil }

  package init?(stringValue: String) { self.init(stringValue) }
  package init?(intValue: Int) { nil }
}
