/// Packs the counts of one period and release, in the format of the column `cells` of a
/// ``CountTable``.
///
/// Counts are sorted by failure. Each count consists of
///
/// 1. the difference to the id of the previous failure (0 for the first) times 4, plus one of the
///    forms below, as a variable-length number: 7 bits a byte, lowest bits first, with the eighth
///    bit set in all bytes but the last;
/// 2. the values of its form, as numbers of the same kind:
///    - `once`: none, for one occurrence in one digest;
///    - `oneDigest`: the occurrences times 2, plus 1 if the digest is shared;
///    - `many`: the occurrences, each in a digest of its own and none shared;
///    - `any`: occurrences, digests and shared digests;
/// 3. the milliseconds from the beginning of the period to the first error, and in the last two
///    forms also to the last error, lowest byte first: 3 bytes in an hour, 4 in a day and 6 in all
///    time.
struct CountEncoder {
  enum Form {
    static let once: UInt64 = 0
    static let oneDigest: UInt64 = 1
    static let many: UInt64 = 2
    static let any: UInt64 = 3

    /// The number of values and moments that follow the head in each form.
    static func parts(of form: UInt64) -> (numbers: Int, moments: Int) {
      switch form {
      case once: (0, 1)
      case oneDigest: (1, 1)
      case many: (1, 2)
      default: (3, 2)
      }
    }
  }

  private(set) var bytes: [UInt8] = []
  private let begin: Int64
  private let length: Int64
  private let momentWidth: Int
  private var failure: Int64 = 0

  init(_ period: Period, capacity: Int = 0) {
    begin = period.begin
    length = period.length
    momentWidth = period.momentWidth
    bytes.reserveCapacity(capacity)
  }

  /// Appends a count. Ignores one that is invalid, outside the period, or not after the last
  /// failure.
  mutating func append(_ count: Count) {
    guard isValid(count) else { return }
    let distance = UInt64(count.id - failure) << 2
    failure = count.id
    if count.digests == 1 {
      if count.occurrences == 1, count.sharedDigests == 0 {
        append(distance | Form.once)
      } else {
        append(distance | Form.oneDigest)
        append(UInt64(count.occurrences) << 1 | UInt64(count.sharedDigests))
      }
      append(moment: count.first)
      return
    }
    if count.digests == count.occurrences, count.sharedDigests == 0 {
      append(distance | Form.many)
      append(UInt64(count.occurrences))
    } else {
      append(distance | Form.any)
      append(UInt64(count.occurrences))
      append(UInt64(count.digests))
      append(UInt64(count.sharedDigests))
    }
    append(moment: count.first)
    append(moment: count.last)
  }

  private func isValid(_ count: Count) -> Bool {
    let end = begin + length
    return count.id > failure && count.id <= Int64.maximumCount
      && 0...Int64.maximumCount ~= count.occurrences && 1...Int64.maximumCount ~= count.digests
      && 0...count.digests ~= count.sharedDigests
      && begin <= count.first && count.first <= count.last && count.last < end
      && (count.digests > 1 || count.first == count.last)
  }

  private mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func append(moment: Int64) {
    let offset = UInt64(moment - begin)
    for byte in 0..<momentWidth { bytes.append(UInt8(truncatingIfNeeded: offset >> (8 * byte))) }
  }
}

extension CountEncoder {
  /// Packs counts that are sorted by failure.
  static func bytes(of counts: some Collection<Count>, in period: Period) -> [UInt8] {
    var encoder = CountEncoder(period, capacity: counts.count * 8)
    for count in counts { encoder.append(count) }
    return encoder.bytes
  }

  /// Adds up two packs of the same period.
  ///
  /// - Throws: ``UnreadableRow`` when one of them cannot be read.
  static func sum(
    _ lhs: UnsafeRawBufferPointer,
    _ rhs: UnsafeRawBufferPointer,
    in period: Period
  ) throws -> [UInt8] {
    var encoder = CountEncoder(period, capacity: lhs.count + rhs.count)
    var left = CountDecoder(lhs, period)
    var right = CountDecoder(rhs, period)
    var nextLeft = try left.next()
    var nextRight = try right.next()
    while true {
      switch (nextLeft, nextRight) {
      case (let count?, let other?) where count.id == other.id:
        var sum = count
        sum.add(other)
        encoder.append(sum)
        nextLeft = try left.next()
        nextRight = try right.next()
      case (let count?, let other) where other.map { count.id < $0.id } != false:
        encoder.append(count)
        nextLeft = try left.next()
      case (_, let count?):
        encoder.append(count)
        nextRight = try right.next()
      case (_, nil): return encoder.bytes
      }
    }
  }
}
