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

/// The parts that the output of a digest and its failures is made of.
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

  /// The text before the path of a failure.
  var beforePath: String {
    switch self {
    case .ndjson: #"{"path":""#
    case .rows: ""
    }
  }

  /// Appends an escaped path, without the text around it.
  func append(path: String, to bytes: inout [UInt8]) {
    switch self {
    case .ndjson: bytes.append(jsonContents: path)
    case .rows(let encoding): append(cell: path, encoding, to: &bytes)
    }
  }

  /// Whether path segments can be escaped one by one, whatever they contain.
  var isSumOfAnyParts: Bool {
    switch self {
    case .ndjson: true
    case .rows: false
    }
  }

  /// Appends a segment of a path whose segments can be written one by one.
  func append(segment: String, to bytes: inout [UInt8]) {
    switch self {
    case .ndjson: bytes.append(jsonContents: segment)
    case .rows: bytes.append(contentsOf: segment.utf8)
    }
  }

  /// Whether these segments, with numbers between them, can be written one by one.
  func isSum(_ segments: [String]) -> Bool {
    switch self {
    case .ndjson: true
    case .rows(let encoding):
      encoding.text(segments.joined(separator: "0")) == segments.joined(separator: "0")
    }
  }

  /// Appends the text between the path of a failure and its message.
  func appendMiddle(of failure: StoredFailure, to bytes: inout [UInt8]) {
    let members = [
      ("kind", failure.failure.kind), ("expectedType", failure.failure.expectedType),
      ("novelValue", failure.failure.novelValue), ("novelValueType", failure.failure.valueType),
    ]
    switch self {
    case .ndjson:
      bytes.append(UInt8(ascii: "\""))
      // Only if there are dictionary keys, which cannot be recognized in the path.
      let hasPattern = failure.failure.codingPath.unicodeScalars.contains("*")
      append(member: "pattern", hasPattern ? failure.failure.codingPath : nil, to: &bytes)
      for index in [0, 2, 3, 1] { append(member: members[index].0, members[index].1, to: &bytes) }
    case .rows(let encoding):
      for (_, text) in members {
        bytes.append(encoding.separator)
        append(cell: text, encoding, to: &bytes)
      }
    }
  }

  /// Appends the message of a failure.
  func append(message: String?, to bytes: inout [UInt8]) {
    append("message", message, to: &bytes)
  }

  /// Appends the type and value found.
  func append(found: (type: String?, value: String?), to bytes: inout [UInt8]) {
    append("foundType", found.type, to: &bytes)
    append("foundValue", found.value, to: &bytes)
  }

  /// Appends the count of an omission. A table repeats the row instead.
  func append(count: Int64, to bytes: inout [UInt8]) {
    if case .ndjson = self { bytes.append(contentsOf: ",\"count\":\(count)".utf8) }
  }

  /// The byte after a failure.
  var afterFailure: UInt8 {
    switch self {
    case .ndjson: UInt8(ascii: "}")
    case .rows: UInt8(ascii: "\n")
    }
  }

  private func append(_ name: String, _ text: String?, to bytes: inout [UInt8]) {
    switch self {
    case .ndjson:
      append(member: name, text, to: &bytes)
    case .rows(let encoding):
      bytes.append(encoding.separator)
      append(cell: text, encoding, to: &bytes)
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
    if !text.isEmpty, text.utf8.allSatisfy(\.isPlain) {
      bytes.append(contentsOf: text.utf8)
    } else {
      bytes.append(contentsOf: encoding.text(text).utf8)
    }
  }
}

extension UInt8 {
  /// Whether no table encoding changes this byte.
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
