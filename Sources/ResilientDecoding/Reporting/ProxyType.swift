/// A type of this library's, or an optional, that is decoded for the sake of a type of the model's.
///
/// A decoder that names the type that it was asked for would otherwise tell a backend of ours.
protocol StandIn {
  static var standsFor: Any.Type { get }
}

/// The type of the model's that is decoded when a decoder is asked for `type`.
func modelType(_ type: Any.Type) -> Any.Type {
  isScalar(type) ? type : (type as? any StandIn.Type)?.standsFor ?? type
}

extension Optional: StandIn {
  static var standsFor: Any.Type { modelType(Wrapped.self) }
}

extension Resilient: StandIn {
  static var standsFor: Any.Type { modelType(Value.self) }
}

extension ResilientDefault: StandIn {
  static var standsFor: Any.Type { modelType(Provider.Value.self) }
}

extension ResilientElements: StandIn {
  static var standsFor: Any.Type { [Provider.Value].self }
}

extension ResilientLossless: StandIn {
  static var standsFor: Any.Type { modelType(Value.self) }
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
