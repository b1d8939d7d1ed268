/// The text of a page of digests.
struct LinePage: Sendable {
  /// The most bytes of repeated text to write at once.
  private static let block = 1 << 16

  var bytes: [UInt8] = []

  /// The ranges of `bytes` to repeat, in ascending order; all other bytes are written once.
  var repeats: [(range: Range<Int>, count: Int64)] = []

  /// Writes the text, in bounded memory however often a range is repeated.
  func forEachPart(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    var start = 0
    for (range, count) in repeats {
      try body(bytes[start..<range.lowerBound])
      let times = max(1, min(count, Int64(Self.block / range.count)))
      let block = Array([ArraySlice<UInt8>](repeating: bytes[range], count: Int(times)).joined())
      for _ in 0..<count / times { try body(block[...]) }
      try body(block[..<(Int(count % times) * range.count)])
      start = range.upperBound
    }
    if start < bytes.count { try body(bytes[start...]) }
  }
}
