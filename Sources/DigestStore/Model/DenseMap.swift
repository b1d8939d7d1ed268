/// A value for each failure, or each model.
///
/// They are numbered from 1 on, so that their number is a place: one is looked up for every cell.
struct DenseMap<Value> {
  /// The value of those that were given none.
  let rest: Value

  /// Larger numbers are only in a file that was tampered with, and must not make us ask for that much
  /// memory.
  private let maximumPlaces: Int64
  private var places: [Value] = []
  private var others: [Int64: Value] = [:]

  /// - Parameters:
  ///   - rest: the value of those that are given none.
  ///   - last: the last number that is expected.
  ///   - isSparse: whether few of many numbers are, so that the others get no place.
  init(_ rest: Value, upTo last: Int64 = 0, isSparse: Bool = false) {
    self.rest = rest
    maximumPlaces = isSparse ? 0 : 1 << 20
    if last > 0, last < maximumPlaces { grow(to: Int(last)) }
  }

  subscript(number: Int64) -> Value {
    guard number >= 0, number < places.count else { return others[number] ?? rest }
    return places[Int(number)]
  }

  /// Changes the value of a number.
  mutating func update(_ number: Int64, _ change: (inout Value) -> Void) {
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

  /// Changes the values of all that may have been given one.
  mutating func updateAll(_ change: (inout Value) -> Void) {
    for place in places.indices { change(&places[place]) }
    others = others.mapValues { value in
      var value = value
      change(&value)
      return value
    }
  }

  /// The numbers whose values meet a condition that the rest does not, in their order.
  func numbers(where isWanted: (Value) -> Bool) -> [Int64] {
    var numbers: [Int64] = []
    for (place, value) in places.enumerated() where isWanted(value) { numbers.append(Int64(place)) }
    guard !others.isEmpty else { return numbers }
    return (numbers + others.filter { isWanted($0.value) }.keys).sorted()
  }

  /// The values that meet a condition that the rest does not, in no order.
  func values(where isWanted: (Value) -> Bool) -> [Value] {
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
