/// Adds up cells by their failure.
struct Sums {
  /// Failures are numbered from 1 on, so their number is a place; larger ones than that are only in
  /// a file that was tampered with, and must not make us ask for that much memory.
  private static let maximumPlaces: Int64 = 1 << 20

  private let maximumPlaces: Int64
  private var places: [Cell] = []
  private var others: [Int64: Cell] = [:]

  /// - Parameter last: the last failure that is expected.
  init(upTo last: Int64 = 0) {
    maximumPlaces = Self.maximumPlaces
    if 1..<maximumPlaces ~= last { grow(to: Int(last)) }
  }

  /// - Parameter isSparse: whether few of many failures are expected.
  init(isSparse: Bool) {
    maximumPlaces = isSparse ? 0 : Self.maximumPlaces
  }

  mutating func add(_ cell: Cell) {
    let failure = cell.failure
    guard failure >= 0, failure < maximumPlaces else {
      others[failure, default: .none(of: failure)].add(cell)
      return
    }
    let place = Int(failure)
    if place >= places.count { grow(to: place) }
    places[place].add(cell)
  }

  /// What was counted of a failure; nil where it did not occur.
  subscript(failure: Int64) -> Cell? {
    let isPlace = failure >= 0 && failure < places.count
    let cell = isPlace ? places[Int(failure)] : others[failure]
    return cell?.isNone == false ? cell : nil
  }

  /// What was counted of each failure that occurred, in no order.
  var cells: [Cell] {
    var cells: [Cell] = []
    cells.reserveCapacity(places.count + others.count)
    for cell in places where !cell.isNone { cells.append(cell) }
    cells += others.values
    return cells
  }

  /// What was counted of some failures.
  ///
  /// - Parameter last: the last failure that is expected.
  func only(_ failures: [Int64], upTo last: Int64) -> Sums {
    var sums = Sums(upTo: last)
    for failure in failures {
      if let cell = self[failure] { sums.add(cell) }
    }
    return sums
  }

  /// Says in how many digests of a failure an earlier one has the same novel value.
  mutating func setSharedDigests(_ count: Int64, of failure: Int64) {
    guard var cell = remove(failure) else { return }
    cell.sharedDigests = count
    add(cell)
  }

  /// Counts novel values instead of failures: under the first failure of each, and a digest once.
  ///
  /// - Parameter countsDigests: false where the digests of a value do not matter; then they are those
  ///   of all its failures.
  consuming func ofNovelValues(_ values: FailureValues, countsDigests: Bool = true) -> Sums {
    var sums = consume self
    for (failure, value) in values.notFirst {
      guard var cell = sums.remove(failure), let value else { continue }
      cell.failure = value
      sums.add(cell)
    }
    guard countsDigests else { return sums }
    for place in sums.places.indices { sums.places[place].countSharedDigestsOnce() }
    for failure in sums.others.keys { sums.others[failure]?.countSharedDigestsOnce() }
    return sums
  }

  private mutating func remove(_ failure: Int64) -> Cell? {
    guard let cell = self[failure] else { return nil }
    if failure >= 0, failure < places.count {
      places[Int(failure)] = .none(of: failure)
    } else {
      others[failure] = nil
    }
    return cell
  }

  private mutating func grow(to place: Int) {
    let count = max(place + 1, min(places.count * 2, Int(maximumPlaces)))
    places.reserveCapacity(count)
    for failure in places.count..<count { places.append(.none(of: Int64(failure))) }
  }
}

extension Cell {
  fileprivate mutating func countSharedDigestsOnce() {
    digests &-= sharedDigests
    sharedDigests = 0
  }
}
