// Coding keys of this library. Decoders keep their own types of keys private.

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

/// A key of a path: an object's, without an integer value, or an array's index.
package struct PathKey: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  package init(_ stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  package init(index: Int) { (stringValue, intValue) = ("Index \(index)", index) }

  package init?(stringValue: String) { self.init(stringValue) }
  package init?(intValue: Int) { nil }
}
