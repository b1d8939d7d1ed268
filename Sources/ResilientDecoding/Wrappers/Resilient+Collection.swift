// A `Resilient` of a collection is one: a model can say `let products: Resilient<[Product]>`.

extension Resilient: Sequence where Value: Sequence {
  /// Makes an iterator of the value.
  @inlinable
  public func makeIterator() -> Value.Iterator { wrappedValue.makeIterator() }

  /// At most how many elements the value has.
  @inlinable public var underestimatedCount: Int { wrappedValue.underestimatedCount }
}

extension Resilient: Collection where Value: Collection {
  /// The value's first position.
  @inlinable public var startIndex: Value.Index { wrappedValue.startIndex }

  /// The position behind the value's last.
  @inlinable public var endIndex: Value.Index { wrappedValue.endIndex }

  /// How many elements the value has.
  @inlinable public var count: Int { wrappedValue.count }

  /// The position behind another one.
  @inlinable
  public func index(after index: Value.Index) -> Value.Index { wrappedValue.index(after: index) }

  /// An element of the value.
  @inlinable
  public subscript(position: Value.Index) -> Value.Element { wrappedValue[position] }
}

extension Resilient: BidirectionalCollection where Value: BidirectionalCollection {
  /// The position before another one.
  @inlinable
  public func index(before index: Value.Index) -> Value.Index { wrappedValue.index(before: index) }
}

extension Resilient: RandomAccessCollection where Value: RandomAccessCollection {
  /// The position a distance away, found in constant time.
  @inlinable
  public func index(_ index: Value.Index, offsetBy distance: Int) -> Value.Index {
    wrappedValue.index(index, offsetBy: distance)
  }

  /// The distance of two positions, found in constant time.
  @inlinable
  public func distance(from start: Value.Index, to end: Value.Index) -> Int {
    wrappedValue.distance(from: start, to: end)
  }
}

extension Resilient: MutableCollection where Value: MutableCollection {
  /// An element of the value; setting one forgets how the value came about.
  @inlinable
  public subscript(position: Value.Index) -> Value.Element {
    get { wrappedValue[position] }
    set { wrappedValue[position] = newValue }
  }
}
