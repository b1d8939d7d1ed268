import ResilientDecoding

extension DigestRecord {
  /// The largest size in bytes of a digest's line in an export.
  static let maximumLength = 2 << 20

  /// The largest size in bytes of the entries in that line. The rest leaves room to count other
  /// errors.
  private static let maximumEntryLength = maximumLength / 2

  /// Returns the digest with as many errors as there is room for.
  ///
  /// Counts the other errors by failure. If there is no room even for that, counts them as one
  /// failure of kind `other` at the empty path. No count is lost.
  func bounded(by limit: ValueLimit) -> Self {
    // True of nearly every digest, and quicker than to make its texts.
    let isShort =
      errors.reduce(0) { $0 + limit.roughLength(of: $1) } <= Self.maximumEntryLength
    if isShort { return self }
    var bounded = self
    bounded.errors = []
    var room = Self.maximumEntryLength
    var left: [RecordedError] = []
    for error in errors {
      let length = limit.length(of: error)
      if length <= room {
        room -= length
        bounded.errors.append(error)
      } else {
        left.append(error.counted)
      }
    }
    var counts = FailureCounts(
      limit, room: Self.maximumLength - headLength(limit) - (Self.maximumEntryLength - room))
    for error in left { counts.add(error) }
    bounded.errors += counts.all
    return bounded
  }

  /// An upper estimate of the bytes in a line besides its errors.
  private func headLength(_ limit: ValueLimit) -> Int {
    let names = context.members.map(\.name) + [model]
    return names.reduce(300) { $0 + limit.cut($1).jsonLength }
  }
}

/// Counts errors by failure, in bounded memory.
private struct FailureCounts {
  private let limit: ValueLimit
  private var room: Int
  private var counts: [RecordedError] = []
  private var indices: [FailureIdentity: Int] = [:]
  private var others = 0

  private static let other = RecordedError(
    path: ErrorDigest.Path(), kind: .other, message: "One of too many different errors")

  init(_ limit: ValueLimit, room: Int) {
    self.limit = limit
    self.room = room - limit.length(of: Self.other)
  }

  mutating func add(_ error: RecordedError) {
    let identity = FailureIdentity(error)
    if let index = indices[identity] {
      counts[index].times = counts[index].times.adding(count: error.times)
      return
    }
    let length = limit.length(of: error)
    guard length <= room else {
      others = others.adding(count: error.times)
      return
    }
    room -= length
    indices[identity] = counts.count
    counts.append(error)
  }

  var all: [RecordedError] {
    var other = Self.other
    other.times = others
    return (others == 0 ? counts : counts + [other]).map { counted in
      var counted = counted
      counted.times = min(counted.times, DigestRecord.maximumCount)
      return counted
    }
  }
}

extension RecordedError {
  /// The error without the fields that only an entry has.
  fileprivate var counted: Self {
    var record = self
    record.path = path.generalized
    if body == nil { record.found = nil }
    return record
  }
}

extension ValueLimit {
  /// An upper estimate of the bytes that an error takes in an export's line besides its texts.
  private static let frameLength = 300

  /// Returns a quick upper bound on the bytes that an error takes in an export's line.
  fileprivate func roughLength(of error: RecordedError) -> Int {
    // An escape turns one byte into six, and into seven in a quoted key of a path, which a pattern
    // repeats.
    func length(_ text: String?) -> Int { 6 * min(text?.utf8.count ?? 0, maximumLength) }
    // Not a loop, which would make an array for each error.
    let texts =
      Self.frameLength + length(error.expectedType) + length(error.novelValue)
      + length(error.valueType) + length(error.message) + length(error.found?.text)
    return error.path.components.reduce(texts) { length, component in
      switch component {
      case .key(let key), .dictionaryKey(let key):
        length + 24 + 14 * min(key.utf8.count, maximumLength)
      case .index, .anyIndex, .anyDictionaryKey: length + 24
      }
    }
  }

  /// Returns an upper bound on the bytes that an error takes in an export's line.
  fileprivate func length(of error: RecordedError) -> Int {
    let error = error.cut(to: self)
    let pattern = error.path.pattern
    let texts = [
      error.expectedType, error.novelValue, error.valueType, error.message, error.found?.text,
      error.path.description, pattern.utf8.contains(UInt8(ascii: "*")) ? pattern : nil,
    ]
    return texts.reduce(Self.frameLength) { $0 + ($1?.jsonLength ?? 0) }
  }
}

extension String {
  /// The number of bytes of the text as a JSON string.
  fileprivate var jsonLength: Int {
    var bytes: [UInt8] = []
    bytes.append(json: self)
    return bytes.count
  }
}
