/// When the digests were recorded last that leave out what their failures have: of each failure the
/// message, and what was found.
struct SampleUses {
  /// In milliseconds since 1970; -1 where no digest does.
  struct Use {
    var message: Int64 = -1
    var found: Int64 = -1
  }

  /// Failures are numbered from 1 on, so their number is a place, as in ``Sums``.
  private static let maximumPlaces: Int64 = 1 << 20

  private var places: [Use] = []
  private var others: [Int64: Use] = [:]

  /// Adds a digest.
  mutating func add(_ digest: DigestCounts, recordedAt moment: Int64) {
    digest.forEachLeftOut { failure, leftOut in
      guard failure < Self.maximumPlaces else {
        others[failure, default: Use()].add(leftOut, at: moment)
        return
      }
      let place = Int(failure)
      if place >= places.count {
        let count = max(place + 1, places.count * 2)
        places += repeatElement(Use(), count: count - places.count)
      }
      places[place].add(leftOut, at: moment)
    }
  }

  subscript(failure: Int64) -> Use {
    let isPlace = failure >= 0 && failure < places.count
    return isPlace ? places[Int(failure)] : others[failure] ?? Use()
  }
}

extension SampleUses.Use {
  fileprivate mutating func add(_ leftOut: EntryScanner.LeftOut, at moment: Int64) {
    if leftOut.contains(.message) { message = max(message, moment) }
    if leftOut.contains(.found) { found = max(found, moment) }
  }
}
