/// A type of this library's that is decoded in the place of a model's own.
///
/// A decoder that names the type that it was asked for would otherwise tell a backend of ours.
protocol StandIn {
  static var standsFor: Any.Type { get }
}

extension Part: StandIn {
  static var standsFor: Any.Type { Value.expectedType }
}

extension KeyedPart: StandIn {
  static var standsFor: Any.Type { Value.expectedType }
}

extension Entry: StandIn {
  static var standsFor: Any.Type { Value.self }
}

extension PartEntry: StandIn {
  static var standsFor: Any.Type { Value.expectedType }
}

extension Array: StandIn where Element: CollectionEntry {
  static var standsFor: Any.Type { [Element.Value].self }
}

extension Dictionary: StandIn where Key == String, Value: CollectionEntry {
  static var standsFor: Any.Type { [String: Value.Value].self }
}
