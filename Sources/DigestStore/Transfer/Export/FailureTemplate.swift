/// A failure with the part of its output, in one format, that most of its occurrences share.
final class FailureTemplate: Sendable {
  let failure: StoredFailure

  /// The approximate size, in bytes.
  let cost: Int

  private let format: ExportFormat
  private let segments: [String]

  /// The output after the path of an entry that omits all fields.
  private let suffix: [UInt8]

  init(_ failure: StoredFailure, _ format: ExportFormat) {
    self.failure = failure
    self.format = format
    segments = failure.pathSegments
    suffix = format.afterPath(
      of: failure.failure, message: failure.message, found: failure.foundDefault, count: nil)
    let segmentCost = segments.count * MemoryLayout<String>.stride
    cost = failure.cost + segmentCost + 2 * suffix.count + 250
  }

  /// Appends an entry or omission, without the row beginning or comma before it.
  func append(_ entry: EntryReader, to output: inout [UInt8]) {
    format.appendPath(to: &output) { output in
      if entry.isOmission {
        output.append(contentsOf: failure.failure.codingPath.utf8)
      } else {
        entry.appendPath(segments, to: &output)
      }
    }
    if entry.hasMembers || entry.isOmission {
      output += format.afterPath(
        of: failure.failure, message: failure.message(of: entry), found: failure.found(of: entry),
        count: entry.isOmission ? entry.count : nil)
    } else {
      output += suffix
    }
  }
}
