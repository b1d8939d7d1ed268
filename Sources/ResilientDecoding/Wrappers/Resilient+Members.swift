// A `Resilient` forwards to the members of its value: a model can declare
// `let image: Resilient<Image?>` and use `image.url`.

extension Resilient {
  /// Reads a member of the value.
  @inlinable
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    wrappedValue[keyPath: keyPath]
  }

  /// Reads or writes a member of the value; writing resets the outcome.
  @inlinable
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Member {
    get { wrappedValue[keyPath: keyPath] }
    set { wrappedValue[keyPath: keyPath] = newValue }
  }

  /// Reads a member of an optional value; nil if the value is nil.
  @inlinable
  public subscript<Wrapped, Member>(
    dynamicMember keyPath: KeyPath<Wrapped, Member>
  ) -> Member? where Value == Wrapped? {
    wrappedValue?[keyPath: keyPath]
  }

  /// Reads an optional member of an optional value; nil if either is nil.
  @inlinable
  public subscript<Wrapped, Member>(
    dynamicMember keyPath: KeyPath<Wrapped, Member?>
  ) -> Member? where Value == Wrapped? {
    wrappedValue?[keyPath: keyPath]
  }
}
