// Coding keys of this library. Decoders keep their own types of keys private.

/// The index of an array's element.
struct IndexKey: CodingKey {
  let index: Int

  init(_ index: Int) { self.index = index }

  var stringValue: String { "Index \(index)" }
  var intValue: Int? { index }

  init?(stringValue: String) { nil }
  init?(intValue: Int) { self.init(intValue) }
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
struct PathKey: CodingKey {
  let stringValue: String

  init(_ stringValue: String) { self.stringValue = stringValue }

  var intValue: Int? { nil }

  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
