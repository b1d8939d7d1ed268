// A `Resilient` looks through to the members of its value: a model can say
// `let image: Resilient<Image?>` and use `image.url`.

extension Resilient {
  /// Reads a member of the value.
  @inlinable
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    wrappedValue[keyPath: keyPath]
  }

  /// Reads or writes a member of the value; writing forgets how the value came about.
  @inlinable
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Member {
    get { wrappedValue[keyPath: keyPath] }
    set { wrappedValue[keyPath: keyPath] = newValue }
  }

  /// Reads a member of an optional value: nil when there is none.
  @inlinable
  public subscript<Wrapped, Member>(
    dynamicMember keyPath: KeyPath<Wrapped, Member>
  ) -> Member? where Value == Wrapped? {
    wrappedValue?[keyPath: keyPath]
  }

  /// Reads a member that is optional itself: nil when either is.
  @inlinable
  public subscript<Wrapped, Member>(
    dynamicMember keyPath: KeyPath<Wrapped, Member?>
  ) -> Member? where Value == Wrapped? {
    wrappedValue?[keyPath: keyPath]
  }
}
