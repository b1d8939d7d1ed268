import ResilientDecoding

/// The id of a digest that came from elsewhere, as it is kept once the digest is gone.
///
/// The same file may be imported again, and must not be counted again. An id that a store has made
/// is one of a range; of another one a hash is enough to know it.
enum ForeignID {
  /// About how much one takes, in the table and in its index.
  static let bytes = 80

  /// The beginning of the text that is kept of a digest that is gone. An id that begins like this is
  /// refused, so that none can be taken for such a text.
  static let mark = "\u{2}\u{1}"

  /// A hash in the place of an id.
  ///
  /// That two ids of a file have the same is as good as impossible, unless someone makes them so;
  /// then the second digest would not be imported.
  static func hash(_ id: String) -> String {
    mark + String(id.fnv1a, radix: 36)
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

/// The ids that one store has given to digests in a row, each recorded no earlier than the one before.
///
/// An id belongs to it by its number and its moment. One with a number of the range and a moment from
/// outside is another digest's: someone has made the id up, or the number was given twice.
struct ForeignRange: Equatable {
  let identity: String
  private(set) var numbers: ClosedRange<Int64>
  private(set) var moments: ClosedRange<Int64>

  /// The range of a single id; nil for one that no store has made.
  init?(id: String) {
    guard let (identity, number) = ForeignID.parts(id),
      let moment = id.split(separator: "-").last.flatMap({ Int64($0) })
    else { return nil }
    self.identity = identity
    numbers = number...number
    moments = moment...moment
  }

  /// Whether all of another range of the same store is in this one.
  func contains(_ other: Self) -> Bool {
    numbers.contains(other.numbers) && moments.contains(other.moments)
  }

  /// Whether another range goes on where this one ends.
  func isContinued(by other: Self) -> Bool {
    identity == other.identity && numbers.upperBound + 1 == other.numbers.lowerBound
      && moments.upperBound <= other.moments.lowerBound
  }

  /// Adds a range that goes on where this one ends.
  mutating func append(_ other: Self) {
    numbers = numbers.lowerBound...other.numbers.upperBound
    moments = moments.lowerBound...other.moments.upperBound
  }

  /// As the file has it, in the order of numbers.
  var text: String {
    let numbers = "\(Self.padded(numbers.lowerBound))-\(numbers.upperBound)"
    return "\(ForeignID.mark)\(identity)#\(numbers)#\(moments.lowerBound)-\(moments.upperBound)"
  }

  /// What stands behind all ranges of a store that begin with a number or before it.
  static func end(_ identity: String, _ number: Int64) -> String {
    "\(ForeignID.mark)\(identity)#\(padded(number))~"
  }

  private static func padded(_ number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 19 - digits.utf8.count) + digits
  }
}

extension ForeignRange {
  /// Reads what ``text`` has written.
  init?(_ text: String) {
    let parts = text.dropFirst(ForeignID.mark.count).split(
      separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 3, let numbers = Self.bounds(parts[1]),
      let moments = Self.bounds(parts[2]), numbers.lowerBound > 0, numbers.upperBound < .max
    else { return nil }
    (identity, self.numbers, self.moments) = (String(parts[0]), numbers, moments)
    guard self.text == text else { return nil }
  }

  private static func bounds(_ text: Substring) -> ClosedRange<Int64>? {
    let bounds = text.split(separator: "-").compactMap { Int64($0) }
    guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
    return bounds[0]...bounds[1]
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= self || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self
  }
}
