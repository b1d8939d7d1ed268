/// A key of any name, without a number.
struct PathKey: CodingKey {
  let stringValue: String

  init(_ stringValue: String) { self.stringValue = stringValue }

  var intValue: Int? { nil }

  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
