import ResilientPlatform

/// Reads times and counts within the range that a store writes. A file may contain any number there,
/// and arithmetic on one at the ends of 64 bits would trap or never end.
extension Row where Self: ~Copyable {
  /// Reads a count: 0 to ``Swift/Int64/maximumCount``.
  func count(at column: Int32) -> Int64 {
    min(max(0, integer(at: column)), Int64.maximumCount)
  }

  /// Reads milliseconds since 1970: ``Moment/earliest`` to ``Moment/latest``.
  func moment(at column: Int32) -> Moment {
    let moment = Moment(milliseconds: integer(at: column))
    return min(max(.earliest, moment), .latest)
  }

  /// Reads milliseconds since 1970; nil for null.
  func optionalMoment(at column: Int32) -> Moment? {
    optionalInteger(at: column).map { _ in moment(at: column) }
  }

  /// Reads periods since 1970, such as hours, and returns the start of the period.
  ///
  /// - Parameter length: the length of a period in milliseconds.
  func moment(at column: Int32, inPeriodsOf length: Int64) -> Moment {
    let last = Moment.latest.milliseconds / length
    return Moment(milliseconds: min(max(0, integer(at: column)), last) * length)
  }

  /// Reads periods since 1970; nil for null.
  func optionalMoment(at column: Int32, inPeriodsOf length: Int64) -> Moment? {
    optionalInteger(at: column).map { _ in moment(at: column, inPeriodsOf: length) }
  }
}

extension Int64 {
  /// The largest count and row id that a store writes. A larger number means that the file is
  /// damaged.
  static let maximumCount: Int64 = 1 << 53
}

/// Addition that stops at the largest count, because a damaged file may contain any number.
extension FixedWidthInteger {
  /// The sum of two counts, at most `Int64.maximumCount`.
  package func adding(count: Self) -> Self {
    let (sum, isTooLarge) = addingReportingOverflow(count)
    let maximum = Self(clamping: Int64.maximumCount)
    return isTooLarge ? maximum : Swift.min(sum, maximum)
  }
}

extension Sequence {
  /// The sum of the counts of all elements, at most `Int64.maximumCount`.
  package func sum<Count: FixedWidthInteger>(of count: (Element) -> Count) -> Count {
    reduce(0) { $0.adding(count: count($1)) }
  }
}

/// A string that compares by its UTF-8 bytes, as SQLite does: a composed é differs from a
/// decomposed one.
package struct BinaryString: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) {
    // The bytes of a bridged string are not contiguous and cannot be hashed at once.
    var text = text
    text.makeContiguousUTF8()
    self.text = text
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    // Compared strings usually have equal bytes, and so equal lengths.
    guard lhs.text.utf8.count == rhs.text.utf8.count else { return false }
    return lhs.text.utf8.withContiguousStorageIfAvailable { lhs in
      rhs.text.utf8.withContiguousStorageIfAvailable { rhs in
        guard let left = lhs.baseAddress, let right = rhs.baseAddress else { return true }
        return memcmp(left, right, lhs.count) == 0
      }
    } == true
  }

  package static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // The end, which separates texts that are hashed one after the other.
    hasher.combine(0xFF as UInt8)
  }
}

/// A row that SQLite can read, but whose contents this library cannot. The rest of the file is not
/// affected.
///
/// It is not a ``SQLiteError``, so that no file is quarantined because of one row.
struct UnreadableRow: Error, CustomStringConvertible {
  /// The problem, without any contents of the row.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
