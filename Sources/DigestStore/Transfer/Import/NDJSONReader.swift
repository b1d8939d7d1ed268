/// Reads the digests and decodes of a file, and reports the lines that are neither.
struct NDJSONReader {
  private(set) var lines: LineReader
  private let skippingInvalid: Bool
  private var number = 0

  /// The number of lines that are neither.
  private(set) var invalid = 0

  /// The problems of the first ten of them.
  private(set) var problems: [String] = []

  init(_ lines: LineReader, skippingInvalid: Bool) {
    self.lines = lines
    self.skippingInvalid = skippingInvalid
  }

  /// Reads the next line; nil at the end.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read. With code `invalidInput` for a
  ///   file of another format, and for a line that is neither, unless such lines are skipped.
  mutating func next() throws -> ImportedRecord? {
    if number == 0, let problem = try lines.peek(ForeignFormat.prefix, ForeignFormat.problem) {
      throw DigestStoreError(.invalidInput, problem)
    }
    while true {
      let read = try lines.next { line in
        do {
          guard let line else { throw DigestLine.Problem.tooLong }
          guard !line.allSatisfy(\.isWhitespace) else { return Line.empty }
          return Line.record(try DigestLine.imported(line))
        } catch let problem as DigestLine.Problem {
          return Line.problem(problem)
        }
      }
      number += 1
      switch read {
      case nil: return nil
      case .empty: continue
      case .record(let record): return record
      case .problem(let problem):
        let message = "line \(number): \(problem.description)"
        guard skippingInvalid else { throw DigestStoreError(.invalidInput, message, line: number) }
        invalid += 1
        if problems.count < 10 { problems.append(message) }
      }
    }
  }

  private enum Line {
    case empty
    case record(ImportedRecord)
    case problem(DigestLine.Problem)
  }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0d
  }
}
