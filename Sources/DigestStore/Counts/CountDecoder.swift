/// Decodes counts that ``CountEncoder`` packed, and validates each value: the file may be damaged.
struct CountDecoder {
  private let bytes: UnsafeRawBufferPointer
  private let begin: Int64
  private let length: Int64
  private let momentWidth: Int
  private var position = 0
  private var failure: Int64 = 0

  /// - Parameter bytes: must stay valid as long as the decoder is used.
  init(_ bytes: UnsafeRawBufferPointer, _ period: Period) {
    self.bytes = bytes
    begin = period.begin
    length = period.length
    momentWidth = period.momentWidth
  }

  /// Reads the next count.
  ///
  /// - Returns: nil at the end.
  /// - Throws: ``UnreadableRow`` when the bytes are not a count, or not one that a store can write.
  mutating func next() throws -> Count? {
    guard position < bytes.count else { return nil }
    let head = try number()
    let distance = Int64(head >> 2)
    guard distance > 0, distance <= Int64.maximumCount - failure else { throw damage }
    failure += distance
    var next = Count(id: failure, occurrences: 1, digests: 1, sharedDigests: 0, first: 0, last: 0)
    switch head & 3 {
    case CountEncoder.Form.once:
      next.first = try moment()
      next.last = next.first
    case CountEncoder.Form.oneDigest:
      let number = try number()
      next.occurrences = Int64(number >> 1)
      next.sharedDigests = Int64(number & 1)
      next.first = try moment()
      next.last = next.first
    case CountEncoder.Form.many:
      next.occurrences = try count()
      next.digests = next.occurrences
      next.first = try moment()
      next.last = try moment()
    default:
      next.occurrences = try count()
      next.digests = try count()
      next.sharedDigests = try count()
      next.first = try moment()
      next.last = try moment()
    }
    guard next.digests > 0, next.sharedDigests <= next.digests, next.first <= next.last,
      max(next.occurrences, next.digests) <= Int64.maximumCount
    else { throw damage }
    return next
  }

  /// Reads the next count of one of the given failures, and skips all others.
  ///
  /// - Parameter failures: the ids in ascending order. Removes the ids that the decoder has passed,
  ///   so the same slice can be passed to the next call.
  mutating func next(among failures: inout ArraySlice<Int64>) throws -> Count? {
    while let wanted = failures.first {
      try skip(to: wanted)
      guard let count = try next() else { return nil }
      while let first = failures.first, first < count.id { failures.removeFirst() }
      guard count.id == failures.first else { continue }
      failures.removeFirst()
      return count
    }
    return nil
  }

  /// Skips the counts of all failures before `wanted` without decoding their values.
  private mutating func skip(to wanted: Int64) throws {
    while position < bytes.count {
      let start = position
      let head = try number()
      let distance = Int64(head >> 2)
      guard distance < wanted - failure else {
        position = start
        return
      }
      guard distance > 0 else { throw damage }
      failure += distance
      let (numbers, moments) = CountEncoder.Form.parts(of: head & 3)
      for _ in 0..<numbers { _ = try number() }
      position += moments * momentWidth
    }
    guard position == bytes.count else { throw damage }
  }

  private mutating func number() throws -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      number |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return number }
      shift += 7
      // The largest number that is written takes at most eight bytes.
      guard shift < 56 else { break }
    }
    throw damage
  }

  private mutating func count() throws -> Int64 {
    Int64(try number())
  }

  private mutating func moment() throws -> Int64 {
    guard bytes.count - position >= momentWidth else { throw damage }
    var offset: Int64 = 0
    if bytes.count - position >= 8 {
      // Reads 8 bytes at once: for nearly all counts the moment is all that follows the head.
      let rest = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      offset = Int64(rest & (1 &<< UInt64(8 * momentWidth) &- 1))
    } else {
      for byte in 0..<momentWidth {
        offset |= Int64(bytes[position + byte]) &<< Int64(8 * byte)
      }
    }
    position += momentWidth
    guard offset < length else { throw damage }
    return begin + offset
  }

  private var damage: UnreadableRow { Count.damage }
}
