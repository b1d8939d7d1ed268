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
  func appendBeginning(
    id: String,
    at moment: Moment,
    model: String,
    release: String?,
    to bytes: inout [UInt8]
  ) {
    switch self {
    case .ndjson:
      bytes.append(contentsOf: #"{"id":"#.utf8)
      bytes.append(json: id)
      bytes.append(contentsOf: #","recordedAt":""#.utf8)
      moment.append(to: &bytes)
      bytes.append(contentsOf: #"","model":"#.utf8)
      bytes.append(json: model)
      append(member: "release", release, to: &bytes)
      bytes.append(contentsOf: #","failures":["#.utf8)
    case .rows(let encoding):
      append(cell: id, encoding, to: &bytes)
      bytes.append(encoding.separator)
      moment.append(to: &bytes)
      for text in [release, model] {
        bytes.append(encoding.separator)
        append(cell: text, encoding, to: &bytes)
      }
      bytes.append(encoding.separator)
    }
  }

  /// Appends the path of an error. `append` appends its text, unescaped.
  func appendPath(to bytes: inout [UInt8], _ append: (inout [UInt8]) -> Void) {
    if case .ndjson = self { bytes.append(contentsOf: #"{"path":""#.utf8) }
    let start = bytes.count
    append(&bytes)
    if start == bytes.count || !bytes[start...].allSatisfy(\.isPlain) {
      let path = String(decoding: bytes[start...], as: UTF8.self)
      bytes.removeSubrange(start...)
      switch self {
      case .ndjson: bytes.append(jsonContents: path)
      case .rows(let encoding): self.append(cell: path, encoding, to: &bytes)
      }
    }
    if case .ndjson = self { bytes.append(UInt8(ascii: "\"")) }
  }

  /// Returns the output of an error after its path.
  ///
  /// - Parameter count: the count of an omission. A table repeats the row instead.
  func afterPath(
    of failure: Failure,
    message: String?,
    found: (type: String?, value: String?),
    count: Int64?
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .ndjson:
      // Only if there are dictionary keys, which cannot be recognized in the path.
      let hasPattern = failure.codingPath.unicodeScalars.contains("*")
      let members = [
        ("pattern", hasPattern ? failure.codingPath : nil), ("kind", failure.kind),
        ("novelValue", failure.novelValue), ("novelValueType", failure.valueType),
        ("expectedType", failure.expectedType), ("message", message), ("foundType", found.type),
        ("foundValue", found.value),
      ]
      for (name, text) in members { append(member: name, text, to: &bytes) }
      if let count { bytes.append(contentsOf: ",\"count\":\(count)".utf8) }
      bytes.append(UInt8(ascii: "}"))
    case .rows(let encoding):
      let cells = [
        failure.kind, failure.expectedType, failure.novelValue, failure.valueType, message,
        found.type, found.value,
      ]
      for cell in cells {
        bytes.append(encoding.separator)
        append(cell: cell, encoding, to: &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
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
