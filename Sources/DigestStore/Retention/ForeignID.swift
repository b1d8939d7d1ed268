import ResilientDecoding

/// The id of an imported digest, in the form that is kept once the digest is deleted.
///
/// It prevents a second import of the same file from counting the digest again. Ids made by a store
/// are normally kept as ranges, all others as hashes.
enum ForeignID {
  /// The approximate number of bytes that one takes in the table and its index.
  static let bytes = 80

  /// The prefix of the text that is kept for a deleted digest. An import refuses ids with this
  /// prefix, so that none can be mistaken for such a text.
  static let mark = "\u{2}\u{1}"

  /// Returns the text that is kept instead of an id, with its hash.
  ///
  /// Two ids in a file have the same hash only if someone constructs them; then the second digest
  /// is not imported.
  static func hash(_ id: String) -> String {
    mark + String(id.fnv1a, radix: 36)
  }

  /// Returns the identity of the store that made an id, and the number of the digest in that store;
  /// nil for other ids.
  static func parts(_ id: String) -> (identity: String, number: Int64)? {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 32, parts[0].utf8.allSatisfy(\.isHexDigit),
      let number = Int64(parts[1]), number > 0, number < .max, let moment = Int64(parts[2]),
      id == "\(parts[0])-\(number)-\(moment)"
    else { return nil }
    return (String(parts[0]), number)
  }
}

/// A range of consecutive ids made by one store for digests none of which was recorded before the
/// previous one.
///
/// An id is part of the range if both its number and its moment are. An id with a number in the
/// range and a moment outside belongs to another digest: someone made the id up, or the number was
/// used twice.
struct ForeignRange: Equatable {
  let identity: String
  private(set) var numbers: ClosedRange<Int64>
  private(set) var moments: ClosedRange<Int64>

  /// Makes the range of a single id; nil if no store made the id.
  init?(id: String) {
    guard let (identity, number) = ForeignID.parts(id),
      let moment = id.split(separator: "-").last.flatMap({ Int64($0) })
    else { return nil }
    self.identity = identity
    numbers = number...number
    moments = moment...moment
  }

  /// Whether this range contains all of another range of the same store.
  func contains(_ other: Self) -> Bool {
    numbers.contains(other.numbers) && moments.contains(other.moments)
  }

  /// Whether another range begins where this one ends.
  func isContinued(by other: Self) -> Bool {
    identity == other.identity && numbers.upperBound + 1 == other.numbers.lowerBound
      && moments.upperBound <= other.moments.lowerBound
  }

  /// Appends a range that begins where this one ends.
  mutating func append(_ other: Self) {
    numbers = numbers.lowerBound...other.numbers.upperBound
    moments = moments.lowerBound...other.moments.upperBound
  }

  /// The range as stored in the file. Texts sort by number.
  var text: String {
    let numbers = "\(Self.padded(numbers.lowerBound))-\(numbers.upperBound)"
    return "\(ForeignID.mark)\(identity)#\(numbers)#\(moments.lowerBound)-\(moments.upperBound)"
  }

  /// Returns a text that sorts after all ranges of a store that begin at or before a number.
  static func end(_ identity: String, _ number: Int64) -> String {
    "\(ForeignID.mark)\(identity)#\(padded(number))~"
  }

  private static func padded(_ number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 19 - digits.utf8.count) + digits
  }
}

extension ForeignRange {
  /// Parses a ``text``.
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
