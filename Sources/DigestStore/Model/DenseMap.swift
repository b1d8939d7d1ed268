/// A map from ids to values.
///
/// Backed by an array, because ids are dense and start at 1 and each count looks one up.
package struct DenseMap<Value> {
  /// The default value.
  package let rest: Value

  /// The size limit of the array. Unless it was manipulated, a file has only smaller ids. Values of larger ones
  /// are stored in a dictionary, so that the file cannot make the map allocate much memory.
  private let maximumPlaces: Int64
  private var places: [Value] = []
  private var others: [Int64: Value] = [:]

  /// - Parameters:
  ///   - rest: the default value.
  ///   - last: the largest expected id.
  ///   - isSparse: whether few of many ids have values. Then all values are stored in the
  ///     dictionary.
  ///   - arrayLimit: the size limit of the array.
  package init(
    _ rest: Value, upTo last: Int64 = 0, isSparse: Bool = false, arrayLimit: Int64 = 1 << 20
  ) {
    self.rest = rest
    maximumPlaces = isSparse ? 0 : arrayLimit
    if last > 0, last < maximumPlaces { grow(to: Int(last)) }
  }

  package subscript(number: Int64) -> Value {
    guard number >= 0, number < places.count else { return others[number] ?? rest }
    return places[Int(number)]
  }

  /// Changes the value of an id.
  package mutating func update(_ number: Int64, _ change: (inout Value) -> Void) {
    guard number >= 0, number < maximumPlaces else {
      var value = others[number] ?? rest
      change(&value)
      others[number] = value
      return
    }
    let place = Int(number)
    if place >= places.count { grow(to: place) }
    change(&places[place])
  }

  /// Changes all values that may have been set.
  mutating func updateAll(_ change: (inout Value) -> Void) {
    for place in places.indices { change(&places[place]) }
    others = others.mapValues { value in
      var value = value
      change(&value)
      return value
    }
  }

  /// Returns the ids whose values meet a condition that the default value does not meet, in
  /// ascending order.
  package func numbers(where isWanted: (Value) -> Bool) -> [Int64] {
    var numbers: [Int64] = []
    for (place, value) in places.enumerated() where isWanted(value) { numbers.append(Int64(place)) }
    guard !others.isEmpty else { return numbers }
    return (numbers + others.filter { isWanted($0.value) }.keys).sorted()
  }

  /// Returns the values that meet a condition that the default value does not meet, unsorted.
  package func values(where isWanted: (Value) -> Bool) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(places.count + others.count)
    for value in places where isWanted(value) { values.append(value) }
    for value in others.values where isWanted(value) { values.append(value) }
    return values
  }

  private mutating func grow(to place: Int) {
    let count = max(place + 1, min(places.count * 2, Int(maximumPlaces)))
    places.reserveCapacity(count)
    places += repeatElement(rest, count: count - places.count)
  }
}
