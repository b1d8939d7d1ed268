import ResilientDecoding

/// The id of a digest that came from elsewhere, as it is kept once the digest is gone.
///
/// The same file may be imported again, and must not be counted again. An id that a store has made
/// is one of a range; of another one a hash is enough to know it.
enum ForeignID {
  /// About how much one takes, in the table and in its index.
  static let bytes = 80

  /// A hash in the place of an id.
  ///
  /// That two ids of a file have the same is as good as impossible, unless someone makes them so;
  /// then the second digest would not be imported.
  static func hash(_ id: String) -> String {
    "#" + String(id.fnv1a, radix: 36)
  }

  /// The identity of the store that has made an id, and the number of the digest there; nil for an
  /// id of another kind.
  static func parts(_ id: String) -> (identity: String, number: Int64)? {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 32, parts[0].utf8.allSatisfy(\.isHexDigit),
      let number = Int64(parts[1]), number > 0, number < .max, let moment = Int64(parts[2]),
      id == "\(parts[0])-\(number)-\(moment)"
    else { return nil }
    return (String(parts[0]), number)
  }
}

/// The ids that one store has given to digests in a row.
///
/// They are without their moments: a digest whose number the range has was known, as far as anyone
/// can tell.
struct ForeignRange: Equatable {
  let identity: String
  var numbers: ClosedRange<Int64>

  /// As the file has it, in the order of numbers and apart from all ids.
  var text: String {
    "\(identity)#\(Self.padded(numbers.lowerBound))-\(Self.padded(numbers.upperBound))"
  }

  /// What is not before a range that begins with a number or before it.
  static func end(_ identity: String, _ number: Int64) -> String {
    "\(identity)#\(padded(number))~"
  }

  private static func padded(_ number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 19 - digits.utf8.count) + digits
  }
}

extension ForeignRange {
  /// Reads what ``text`` has written.
  init?(_ text: String) {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    let numbers = parts.last?.split(separator: "-") ?? []
    guard parts.count == 2, numbers.count == 2, let first = Int64(numbers[0]),
      let last = Int64(numbers[1]), 0 < first, first <= last, last < .max
    else { return nil }
    self.init(identity: String(parts[0]), numbers: first...last)
    guard self.text == text else { return nil }
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= self || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self
  }
}
