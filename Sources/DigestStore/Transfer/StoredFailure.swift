/// A failure with what its entries need to be read.
struct StoredFailure: Sendable {
  let failure: Failure

  /// The pattern with `%s` for each index or key.
  let pathFormat: String

  /// The message of entries that omit theirs.
  let message: String?

  /// Whether entries that omit their found value have that of the sample.
  let isFoundDefault: Bool

  /// Whether the failure matches the filter.
  let isMatching: Bool
}

extension StoredFailure {
  /// Makes a statement that reads a failure by its id, the first parameter.
  static func statement(_ filter: DigestFilter, _ connection: Connection) throws -> Statement {
    let statement = try Statement(
      connection,
      """
      SELECT ?1, \(Failure.columns), f.path_format, f.message, f.found_default,
        \(filter.errorCondition)
      FROM failure AS f WHERE f.id = ?1
      """
    )
    try statement.bind(named: filter.values)
    return statement
  }

  /// Reads a failure.
  ///
  /// - Parameter find: ``statement(_:_:)``.
  /// - Throws: ``UnreadableRow`` if there is no failure with this id.
  static func find(_ id: Int64, _ find: borrowing Statement) throws -> StoredFailure {
    try find.bind(id, at: 1)
    defer { find.reset() }
    guard try find.step() else { throw UnreadableRow("it refers to no failure") }
    return StoredFailure(find)
  }

  private init(_ row: borrowing Statement) {
    failure = Failure(row, at: 1)
    let next = 1 + Failure.columnCount
    pathFormat = row.text(at: next) ?? ""
    message = row.text(at: next + 1)
    isFoundDefault = row.integer(at: next + 2) != 0
    isMatching = row.integer(at: next + 3) != 0
  }

  /// The approximate size, in bytes.
  var cost: Int {
    [
      failure.codingPath, pathFormat, failure.kind, failure.expectedType ?? "",
      failure.novelValue ?? "", failure.valueType ?? "", message ?? "", failure.foundType ?? "",
      failure.foundValue ?? "",
    ].reduce(300) { $0 + $1.utf8.count }
  }

  /// The parts of the path between its indices and keys.
  var pathSegments: [String] {
    var segments: [String] = []
    var segment = ""
    var rest = pathFormat.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        segment.unicodeScalars.append(scalar)
        continue
      }
      if rest.popFirst() == "s" {
        segments.append(segment)
        segment = ""
      } else {
        segment += "%"
      }
    }
    return segments + [segment]
  }

  /// The message of an entry: its own, or else the failure's.
  func message(of entry: EntryReader) -> String? {
    switch entry.message {
    case .absent: message
    case .text(let own): own.text
    case .null, .number: nil
    }
  }

  /// The found value of entries that omit theirs.
  var foundDefault: (type: String?, value: String?) {
    isFoundDefault ? (failure.foundType, failure.foundValue) : (nil, nil)
  }

  /// The found value of an entry: its own, or the failure's sample if the entry relies on it.
  func found(of entry: EntryReader) -> (type: String?, value: String?) {
    entry.ownFound(novelValue: failure.novelValue, knownType: failure.foundType)
      ?? (entry.isOmission ? (nil, nil) : foundDefault)
  }
}

extension EntryReader {
  /// Makes the exact path from its segments. A missing index or key is left empty.
  func path(_ segments: [String]) -> String {
    var path: [UInt8] = []
    appendPath(segments, to: &path)
    return String(decoding: path, as: UTF8.self)
  }

  /// Appends the path of ``path(_:)``.
  func appendPath(_ segments: [String], to bytes: inout [UInt8]) {
    for (index, segment) in segments.enumerated() {
      if index > 0, index <= arguments.count {
        switch arguments[index - 1] {
        case .number(let digits): bytes.append(contentsOf: digits)
        case .text(let text): bytes.append(contentsOf: text.text.utf8)
        }
      }
      bytes.append(contentsOf: segment.utf8)
    }
  }

  /// The found value of the entry itself; nil if the entry omits it.
  func ownFound(novelValue: String?, knownType: String?) -> (type: String?, value: String?)? {
    let type: String?
    switch (foundType, foundValue) {
    case (.absent, .absent): return nil
    case (.absent, _): type = knownType
    case (.text(let own), _): type = own.text
    case (.null, _), (.number, _): type = nil
    }
    switch foundValue {
    case .absent, .null: return (type, nil)
    case .number: return (type, novelValue)
    case .text(let own): return (type, own.text)
    }
  }
}

/// A cache of recently read failures, which digests refer to by id.
///
/// Samples may be cleared and replaced while pages are read. A cached sample stays right for the
/// digests that existed at the first page, because a sample is kept while a digest relies on it.
struct StoredFailures: Sendable {
  private var failures = GenerationCache<Int64, StoredFailure>(limit: 1 << 20) { $1.cost }

  /// Reads a failure.
  ///
  /// - Parameter find: ``StoredFailure/statement(_:_:)``.
  /// - Throws: ``UnreadableRow`` if there is no failure with this id.
  mutating func failure(
    _ id: Int64,
    _ find: borrowing Statement
  ) throws -> StoredFailure {
    try failures.value(id) { try StoredFailure.find(id, find) }
  }
}
