#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an import has done.
public struct ImportSummary: Sendable, Hashable {
  /// How many digests were added.
  public let added: Int

  /// How many the store had already, by their id.
  public let known: Int

  /// The lines that were left out, by number, each with the reason.
  public let invalid: [Int: String]
}

extension DigestStore {
  /// Adds the digests of a file of NDJSON, as ``exportDigests(matching:to:)`` writes them.
  ///
  /// One transaction: all of the file is imported, or nothing. A digest whose id the store has or
  /// has had is left out, so that importing a file twice changes nothing; one without an id is a
  /// new one each time. Empty lines are passed over.
  ///
  /// - Parameters:
  ///   - descriptor: the open file, read from where it stands to its end.
  ///   - skippingInvalid: whether to leave out a bad line rather than to stop.
  /// - Throws: ``DigestStoreError``, of code `invalidInput` with the number of a bad line.
  public func importDigests(
    fromFileDescriptor descriptor: Int32,
    skippingInvalid: Bool = false
  ) throws -> ImportSummary {
    try write { writer in
      var lines = NumberedRecords(descriptor: descriptor, skippingInvalid: skippingInvalid)
      let (added, known) = try writer.appendAll { try lines.next() }
      return ImportSummary(added: added, known: known, invalid: lines.invalid)
    }
  }
}

/// The digests of a file, and which of its lines are none.
private struct NumberedRecords {
  private var lines: LineReader
  private let skippingInvalid: Bool
  private var number = 0
  private(set) var invalid: [Int: String] = [:]

  init(descriptor: Int32, skippingInvalid: Bool) {
    lines = LineReader(descriptor: descriptor)
    self.skippingInvalid = skippingInvalid
  }

  mutating func next() throws -> DigestRecord? {
    while let line = try lines.next() {
      number += 1
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      do {
        return try DigestLine.record(of: line)
      } catch let problem as DigestLine.Problem {
        guard skippingInvalid else {
          throw DigestStoreError(.invalidInput, "line \(number): \(problem.description)")
        }
        invalid[number] = problem.description
      }
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0d
  }
}
