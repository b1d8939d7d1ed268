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
