/// The parts of a failure's output, in one format, that all its occurrences share, rendered once.
final class FailureTemplate: Sendable {
  /// Whether the failure matches the filter.
  let isMatching: Bool

  /// The approximate size, in bytes.
  let cost: Int

  private let style: ExportFormat

  /// The path segments, the whole pattern, the middle, the message and the found value, one after
  /// the other. The properties below are their ends.
  private let bytes: [UInt8]

  /// The ends of the path segments; the first includes the text before the path. Empty if the path
  /// must be escaped as a whole.
  private let segmentEnds: [Int]
  private let segments: [String]

  /// The end of the first segment, if there are exactly two.
  private let firstEnd: Int?
  private let pathEnd: Int
  private let patternEnd: Int
  private let middleEnd: Int
  private let messageEnd: Int

  private let novelValue: String?
  private let foundType: String?

  init(_ failure: StoredFailure, _ style: ExportFormat) {
    self.style = style
    isMatching = failure.isMatching
    novelValue = failure.failure.novelValue
    foundType = failure.failure.foundType
    var bytes = Array(style.beforePath.utf8)
    var ends: [Int] = []
    let segments = failure.pathSegments
    let isSum = style.isSum(segments)
    for segment in isSum ? segments : [] {
      style.append(segment: segment, to: &bytes)
      ends.append(bytes.count)
    }
    self.segments = isSum ? [] : segments
    segmentEnds = ends
    firstEnd = ends.count == 2 ? ends[0] : nil
    pathEnd = bytes.count
    style.append(path: failure.failure.codingPath, to: &bytes)
    patternEnd = bytes.count
    style.appendMiddle(of: failure, to: &bytes)
    middleEnd = bytes.count
    style.append(message: failure.message, to: &bytes)
    messageEnd = bytes.count
    style.append(
      found: failure.isFoundDefault
        ? (failure.failure.foundType, failure.failure.foundValue) : (nil, nil),
      to: &bytes)
    bytes.append(style.afterFailure)
    self.bytes = bytes
    let texts = self.segments.reduce(novelValue?.utf8.count ?? 0) { $0 + $1.utf8.count + 50 }
    cost = bytes.count + 8 * ends.count + texts + 250
  }

  /// Appends an entry or omission, without the row beginning or comma before it.
  func append(_ entry: EntryReader, to output: inout [UInt8]) {
    if entry.isOmission {
      output.append(contentsOf: style.beforePath.utf8)
      copy(pathEnd..<middleEnd, to: &output)
    } else {
      appendPath(of: entry, to: &output)
      // Fast path: most entries omit all fields.
      guard entry.hasMembers else { return copy(patternEnd..<bytes.count, to: &output) }
      copy(patternEnd..<middleEnd, to: &output)
    }
    appendMessage(of: entry, to: &output)
    let own = entry.ownFound(novelValue: novelValue, knownType: foundType)
    if own != nil || entry.isOmission {
      style.append(found: own ?? (nil, nil), to: &output)
      if entry.isOmission { style.append(count: entry.count, to: &output) }
      output.append(style.afterFailure)
    } else {
      copy(messageEnd..<bytes.count, to: &output)
    }
  }

  private func appendMessage(of entry: EntryReader, to output: inout [UInt8]) {
    switch entry.message {
    case .absent: copy(middleEnd..<messageEnd, to: &output)
    case .text(let own): style.append(message: own.text, to: &output)
    case .null, .number: style.append(message: nil, to: &output)
    }
  }

  private func appendPath(of entry: EntryReader, to output: inout [UInt8]) {
    let arguments = entry.arguments
    // Fast path: nearly every path has one index.
    if let firstEnd, arguments.count == 1, case .number(let digits) = arguments[0] {
      copy(0..<firstEnd, to: &output)
      for digit in digits { output.append(digit) }
      return copy(firstEnd..<pathEnd, to: &output)
    }
    let isSum = arguments.allSatisfy {
      if case .number = $0 { true } else { style.isSumOfAnyParts }
    }
    guard !segmentEnds.isEmpty, isSum else {
      output.append(contentsOf: style.beforePath.utf8)
      style.append(path: entry.path(segments.isEmpty ? plainSegments : segments), to: &output)
      return
    }
    var start = 0
    for (index, end) in segmentEnds.enumerated() {
      if index > 0, index <= arguments.count {
        switch arguments[index - 1] {
        case .number(let digits): for digit in digits { output.append(digit) }
        case .text(let text): style.append(path: text.text, to: &output)
        }
      }
      copy(start..<end, to: &output)
      start = end
    }
  }

  /// The segments of a path that the format does not escape.
  private var plainSegments: [String] {
    var start = style.beforePath.utf8.count
    return segmentEnds.map { end in
      defer { start = end }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }

  private func copy(_ range: Range<Int>, to output: inout [UInt8]) {
    // Avoids a slice, which would retain its buffer.
    bytes.withUnsafeBufferPointer {
      output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
    }
  }
}
