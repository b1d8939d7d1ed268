/// Which of a few groups each failure belongs to, if any: looked up for every cell.
struct FailureGroups {
  private static let maximumPlaces: Int64 = 1 << 20
  private static let nowhere: Int32 = -1

  private var places: [Int32]
  private var others: [Int64: Int] = [:]

  /// - Parameter last: the last failure that is expected.
  init(upTo last: Int64) {
    let count = max(0, min(last + 1, Self.maximumPlaces))
    places = Array(repeating: Self.nowhere, count: Int(count))
  }

  subscript(failure: Int64) -> Int? {
    get {
      guard failure >= 0, failure < places.count else { return others[failure] }
      let place = places[Int(failure)]
      return place == Self.nowhere ? nil : Int(place)
    }
    set {
      if failure >= 0, failure < places.count {
        places[Int(failure)] = newValue.map { Int32($0) } ?? Self.nowhere
      } else {
        others[failure] = newValue
      }
    }
  }
}
