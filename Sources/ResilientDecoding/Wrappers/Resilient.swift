/// A property wrapper whose value survives a payload that is not what the model expects.
///
/// What is recovered depends on the type of the value:
///
/// | value | missing or null | wrong shape | a bad element |
/// |---|---|---|---|
/// | `T?` | `nil` | `nil`, reported | – |
/// | `[T]`, `[T]?` | `[]`, `nil` | `[]`, reported | left out, reported |
/// | `[String: T]`, `[String: T]?` | `[:]`, `nil` | `[:]`, reported | left out, reported |
/// | `Set<T>`, dictionaries by other keys | as an array or dictionary | | |
/// | a ``ResilientRawRepresentable`` with a fallback | fallback, reported | fallback, reported | – |
///
/// Collections may be in collections: the innermost bad value goes, the rest stays. An optional
/// element becomes `nil`. A novel raw value counts as a wrong shape.
///
/// A value of any other type is decoded as it would be without the wrapper, and its error is thrown.
/// In a release build the wrapper takes no space of its own.
@propertyWrapper
@dynamicMemberLookup
public struct Resilient<Value: Decodable> {
  /// The decoded or recovered value; setting it forgets how the value came about.
  public var wrappedValue: Value {
    didSet { outcome = .decodedSuccessfully }
  }

  /// How the value came about: of size zero in a release build.
  @usableFromInline
  var outcome: ResilientDecodingOutcome

  #if DEBUG
    /// How this property was decoded. Debug builds only.
    // Here because a wrapper's projection has to be a member of the type's own declaration.
    public var projectedValue: ProjectedValue {
      ProjectedValue(wrappedValue: wrappedValue, outcome: outcome)
    }
  #endif

  /// Wraps a value as though it had been decoded without an error.
  @inlinable
  public init(_ value: Value) {
    self.init(value, outcome: .decodedSuccessfully)
  }

  /// Wraps the value that a property is declared with.
  ///
  /// That value is the default of the memberwise initializer. Decoding ignores it: for a default when
  /// decoding, use ``ResilientDefault``.
  public init(wrappedValue: Value) {
    self.init(wrappedValue)
  }

  @inlinable
  init(_ value: Value, outcome: ResilientDecodingOutcome) {
    self.wrappedValue = value
    self.outcome = outcome
  }

  init(_ recovered: (value: Value, outcome: ResilientDecodingOutcome)) {
    self.init(recovered.value, outcome: recovered.outcome)
  }
}

extension Resilient: Sendable where Value: Sendable {}

extension Resilient: Equatable where Value: Equatable {
  /// Compares the values, however they came about.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.wrappedValue == rhs.wrappedValue
  }
}

extension Resilient: Hashable where Value: Hashable {
  /// Hashes the value, however it came about.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue)
  }
}

extension Resilient: ProxyType {
  static var representedType: Any.Type { modelType(Value.self) }
}
