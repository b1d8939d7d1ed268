// A `Resilient` of a collection is a collection: a model can declare
// `let products: Resilient<[Product]>`.

extension Resilient: Sequence where Value: Sequence {
  /// Returns an iterator over the value.
  @inlinable
  public func makeIterator() -> Value.Iterator { wrappedValue.makeIterator() }

  /// A lower bound on the number of elements.
  @inlinable public var underestimatedCount: Int { wrappedValue.underestimatedCount }
}

extension Resilient: Collection where Value: Collection {
  /// The value's first position.
  @inlinable public var startIndex: Value.Index { wrappedValue.startIndex }

  /// The position after the value's last element.
  @inlinable public var endIndex: Value.Index { wrappedValue.endIndex }

  /// The number of elements.
  @inlinable public var count: Int { wrappedValue.count }

  /// Returns the position after another one.
  @inlinable
  public func index(after index: Value.Index) -> Value.Index { wrappedValue.index(after: index) }

  /// An element of the value.
  @inlinable
  public subscript(position: Value.Index) -> Value.Element { wrappedValue[position] }
}

extension Resilient: BidirectionalCollection where Value: BidirectionalCollection {
  /// Returns the position before another one.
  @inlinable
  public func index(before index: Value.Index) -> Value.Index { wrappedValue.index(before: index) }
}

extension Resilient: RandomAccessCollection where Value: RandomAccessCollection {
  /// Returns the position at a distance from another one, in constant time.
  @inlinable
  public func index(_ index: Value.Index, offsetBy distance: Int) -> Value.Index {
    wrappedValue.index(index, offsetBy: distance)
  }

  /// Returns the distance between two positions, in constant time.
  @inlinable
  public func distance(from start: Value.Index, to end: Value.Index) -> Int {
    wrappedValue.distance(from: start, to: end)
  }
}

extension Resilient: MutableCollection where Value: MutableCollection {
  /// An element of the value; setting one resets the outcome.
  @inlinable
  public subscript(position: Value.Index) -> Value.Element {
    get { wrappedValue[position] }
    set { wrappedValue[position] = newValue }
  }
}

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
