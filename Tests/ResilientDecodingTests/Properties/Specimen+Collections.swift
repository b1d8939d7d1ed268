import ResilientDecoding

extension Optional: Specimen where Wrapped: Specimen {
  static var specimen: Self { Wrapped.specimen }
  var plain: PlainValue { self?.plain ?? .none }
}

extension Array: Specimen where Element: Specimen {
  static var specimen: Self { [Element.specimen] }
  var plain: PlainValue { .array(map(\.plain)) }
}

extension Set: Specimen where Element: Specimen {
  static var specimen: Self { [Element.specimen] }
  var plain: PlainValue { .set(Set<PlainValue>(map(\.plain))) }
}

extension Dictionary: Specimen where Key: NamedSpecimen, Value: Specimen {
  static var specimen: Self { [Key.specimen: Value.specimen] }

  var plain: PlainValue {
    .object(reduce(into: [:]) { $0[$1.key.name] = $1.value.plain })
  }
}

extension Resilient: Specimen where Value: Specimen {
  static var specimen: Self { Self(Value.specimen) }
  var plain: PlainValue { wrappedValue.plain }
}

/// A key of a dictionary.
protocol NamedSpecimen: Specimen {
  var name: String { get }
}

extension String: NamedSpecimen {
  var name: String { self }
}

extension Int: NamedSpecimen {
  var name: String { String(self) }
}

extension Open: NamedSpecimen where Known: Specimen, Known.RawValue == String {
  var name: String { rawValue }
}

/// Returns the specimen of a type.
enum DefaultOf<Value: Specimen>: DefaultValueProvider {
  static var defaultValue: Value { Value.specimen }
}
