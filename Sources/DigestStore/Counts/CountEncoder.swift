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
  mutating func append(_ cell: Count) {
    guard isValid(cell) else { return }
    let distance = UInt64(cell.failure - failure) << 2
    failure = cell.failure
    if cell.digests == 1 {
      if cell.occurrences == 1, cell.sharedDigests == 0 {
        append(distance | Form.once)
      } else {
        append(distance | Form.oneDigest)
        append(UInt64(cell.occurrences) << 1 | UInt64(cell.sharedDigests))
      }
      append(moment: cell.first)
      return
    }
    if cell.digests == cell.occurrences, cell.sharedDigests == 0 {
      append(distance | Form.many)
      append(UInt64(cell.occurrences))
    } else {
      append(distance | Form.any)
      append(UInt64(cell.occurrences))
      append(UInt64(cell.digests))
      append(UInt64(cell.sharedDigests))
    }
    append(moment: cell.first)
    append(moment: cell.last)
  }

  private func isValid(_ cell: Count) -> Bool {
    let end = begin + length
    return cell.failure > failure && cell.failure <= Int64.maximumCount
      && 0...Int64.maximumCount ~= cell.occurrences && 1...Int64.maximumCount ~= cell.digests
      && 0...cell.digests ~= cell.sharedDigests
      && begin <= cell.first && cell.first <= cell.last && cell.last < end
      && (cell.digests > 1 || cell.first == cell.last)
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
  static func bytes(of cells: some Collection<Count>, in period: Period) -> [UInt8] {
    var encoder = CountEncoder(period, capacity: cells.count * 8)
    for cell in cells { encoder.append(cell) }
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
      case (let cell?, let other?) where cell.failure == other.failure:
        var sum = cell
        sum.add(other)
        encoder.append(sum)
        nextLeft = try left.next()
        nextRight = try right.next()
      case (let cell?, let other) where other.map { cell.failure < $0.failure } != false:
        encoder.append(cell)
        nextLeft = try left.next()
      case (_, let cell?):
        encoder.append(cell)
        nextRight = try right.next()
      case (_, nil): return encoder.bytes
      }
    }
  }
}
