/// A property wrapper whose value survives a payload that does not match the model.
///
/// The recovery depends on the type of the value:
///
/// | value | missing or null | wrong shape | a bad element |
/// |---|---|---|---|
/// | `T?` | `nil` | `nil`, reported | – |
/// | `[T]`, `[T]?` | `[]`, `nil` | `[]`, reported | left out, reported |
/// | `[String: T]`, `[String: T]?` | `[:]`, `nil` | `[:]`, reported | left out, reported |
/// | `Set<T>`, dictionaries with other keys | like an array or dictionary | | |
/// | a ``ResilientRawRepresentable`` with a fallback | fallback, reported | fallback, reported | – |
///
/// Collections can be nested: only the innermost bad value is left out. An optional element becomes
/// `nil`. A novel raw value counts as a wrong shape.
///
/// A value of any other type is decoded as without the wrapper, and its error is thrown. In release
/// builds the wrapper adds no storage.
@propertyWrapper
@dynamicMemberLookup
public struct Resilient<Value: Decodable> {
  /// The decoded or recovered value; setting it resets the outcome.
  public var wrappedValue: Value {
    didSet { outcome = .decodedSuccessfully }
  }

  /// How the value was decoded; its size is zero in release builds.
  @usableFromInline
  var outcome: ResilientDecodingOutcome

  #if DEBUG
    /// How this property was decoded. Debug builds only.
    // Not in an extension: a property wrapper's projection must be in the type's own declaration.
    public var projectedValue: ProjectedValue {
      ProjectedValue(wrappedValue: wrappedValue, outcome: outcome)
    }
  #endif

  /// Wraps a value as if it had been decoded without an error.
  @inlinable
  public init(_ value: Value) {
    self.init(value, outcome: .decodedSuccessfully)
  }

  /// Wraps the initial value of the property's declaration.
  ///
  /// It is the default of the memberwise initializer. Decoding ignores it: for a default when
  /// decoding, use ``ResilientDefault``.
  public init(wrappedValue: Value) {
    self.init(wrappedValue)
  }

  @inlinable
  init(_ value: Value, outcome: ResilientDecodingOutcome) {
    self.wrappedValue = value
    self.outcome = outcome
  }

  @inlinable
  @inline(__always)
  init(_ recovered: Recovered<Value>) {
    self.init(recovered.value, outcome: recovered.outcome)
  }

  @inlinable
  @inline(__always)
  init(_ recovered: Recovered<Value?>, orElse defaultValue: @autoclosure () -> Value) {
    self.init(recovered.value ?? defaultValue(), outcome: recovered.outcome)
  }
}

extension Resilient: Sendable where Value: Sendable {}

extension Resilient: Equatable where Value: Equatable {
  /// Compares the values and ignores the outcomes.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.wrappedValue == rhs.wrappedValue
  }
}

extension Resilient: Hashable where Value: Hashable {
  /// Hashes the value and ignores the outcome.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue)
  }
}
