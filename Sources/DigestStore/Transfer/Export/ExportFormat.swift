/// How to write text cells in a table with one occurrence per row.
package struct CellEncoding: Sendable {
  /// The byte between two cells.
  package let separator: UInt8

  /// Encodes the text of a cell. It must not change a nonempty text of only ASCII letters, digits
  /// and `_.:/[]`.
  package let text: @Sendable (String) -> String

  /// Makes an encoding from its properties.
  package init(separator: UInt8, text: @escaping @Sendable (String) -> String) {
    self.separator = separator
    self.text = text
  }
}

/// The output format of an export.
enum ExportFormat: Sendable {
  /// A line of JSON for each digest.
  case ndjson

  /// A row for each occurrence.
  case rows(CellEncoding)
}

/// The parts of a digest's output.
extension ExportFormat {
  /// Appends the beginning of a digest's line; in a table, of each of its rows.
  func appendBeginning(_ digest: StoredDigest, to bytes: inout [UInt8]) {
    switch self {
    case .ndjson:
      bytes.append(contentsOf: #"{"id":"#.utf8)
      bytes.append(json: digest.id)
      bytes.append(contentsOf: #","recordedAt":""#.utf8)
      digest.recordedAt.append(to: &bytes)
      bytes.append(contentsOf: #"","model":"#.utf8)
      bytes.append(json: digest.model)
      append(member: "release", digest.release, to: &bytes)
      append(member: "environment", digest.environment, to: &bytes)
      append(member: "operation", digest.operation, to: &bytes)
      bytes.append(contentsOf: #","errors":["#.utf8)
    case .rows(let encoding):
      append(cell: digest.id, encoding, to: &bytes)
      bytes.append(encoding.separator)
      digest.recordedAt.append(to: &bytes)
      for text in [digest.release, digest.model] {
        bytes.append(encoding.separator)
        append(cell: text, encoding, to: &bytes)
      }
      bytes.append(encoding.separator)
    }
  }

  /// Appends the path of an error.
  func append(path: String, to bytes: inout [UInt8]) {
    switch self {
    case .ndjson:
      bytes.append(contentsOf: #"{"path":"#.utf8)
      bytes.append(json: path)
    case .rows(let encoding):
      append(cell: path, encoding, to: &bytes)
    }
  }

  /// Returns the output of a failure's occurrences between path and found value.
  func afterPath(of failure: StoredFailure) -> [UInt8] {
    let names = failure.names
    var bytes: [UInt8] = []
    switch self {
    case .ndjson:
      // Only if there are dictionary keys, which cannot be recognized in the path.
      let hasPattern = names.codingPath.unicodeScalars.contains("*")
      let members = [
        ("pattern", hasPattern ? names.codingPath : nil), ("kind", names.kind),
        ("novelValue", names.novelValue), ("novelValueType", names.valueType),
        ("expectedType", names.expectedType),
      ]
      for (name, text) in members { append(member: name, text, to: &bytes) }
    case .rows(let encoding):
      for cell in [names.kind, names.expectedType, names.novelValue, names.valueType] {
        bytes.append(encoding.separator)
        append(cell: cell, encoding, to: &bytes)
      }
    }
    return bytes
  }

  /// Appends the end of an error: its found value and how often it occurred.
  func appendEnd(of error: StoredError, in digest: StoredDigest, to bytes: inout [UInt8]) {
    switch self {
    case .ndjson:
      append(member: "foundType", error.foundType, to: &bytes)
      append(member: "foundValue", error.foundValue, to: &bytes)
      if error.times > 1 { bytes.append(contentsOf: ",\"count\":\(error.times)".utf8) }
      bytes.append(UInt8(ascii: "}"))
    case .rows(let encoding):
      let cells = [
        error.foundType, error.foundValue, "\(error.times)", digest.environment, digest.operation,
      ]
      for cell in cells {
        bytes.append(encoding.separator)
        append(cell: cell, encoding, to: &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// Appends a member after another one, unless its value is nil.
  private func append(member name: String, _ text: String?, to bytes: inout [UInt8]) {
    guard let text else { return }
    bytes.append(UInt8(ascii: ","))
    bytes.append(json: name)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(json: text)
  }

  private func append(cell text: String?, _ encoding: CellEncoding, to bytes: inout [UInt8]) {
    // Nil is an empty cell; empty text may be encoded differently.
    guard let text else { return }
    if text.isPlainCell {
      bytes.append(contentsOf: text.utf8)
    } else {
      bytes.append(contentsOf: encoding.text(text).utf8)
    }
  }
}

extension String {
  /// Whether the text is not empty, and neither JSON nor any table encoding changes it.
  package var isPlainCell: Bool {
    let isPlain = utf8.withContiguousStorageIfAvailable { $0.allSatisfy(\.isPlain) }
    return !isEmpty && isPlain ?? utf8.allSatisfy(\.isPlain)
  }
}

extension UInt8 {
  /// Whether neither JSON nor any table encoding changes this byte.
  fileprivate var isPlain: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
