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

  /// How many lines were left out because they are no digests.
  public let invalid: Int

  /// What is wrong with the first of those, ten at most, as in `line 3: model is missing`.
  public let problems: [String]
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
      let (added, known) = try writer.appendAll { try lines.next().map(redacted) }
      return ImportSummary(
        added: added, known: known, invalid: lines.invalid, problems: lines.problems)
    }
  }
}

/// The digests of a file, and which of its lines are none.
private struct NumberedRecords {
  private var lines: LineReader
  private let skippingInvalid: Bool
  private var number = 0
  private(set) var invalid = 0
  private(set) var problems: [String] = []

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
        let message = "line \(number): \(problem.description)"
        guard skippingInvalid else { throw DigestStoreError(.invalidInput, message) }
        invalid += 1
        if problems.count < 10 { problems.append(message) }
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
