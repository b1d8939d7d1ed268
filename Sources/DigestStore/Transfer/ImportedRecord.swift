import ResilientDecoding
import ResilientPlatform

/// A digest, a number of decodes, or a loss, from a line of NDJSON.
enum ImportedRecord {
  case digest(DigestRecord)
  case decodes(DecodeRecord)
  case loss(LossRecord)

  /// The number of rows and parts of rows that it takes.
  var size: Int {
    switch self {
    case .digest(let record): record.errors.count + 1
    case .decodes, .loss: 1
    }
  }
}

extension ImportedRecord {
  /// The longest id, in bytes of UTF-8.
  private static let maximumIDLength = 1_000

  /// Reads a line.
  ///
  /// - Throws: a ``LineProblem``.
  init(_ line: UnsafeRawBufferPointer) throws {
    guard let value = LineValue(line) else {
      throw LineProblem(description: "it isn't a JSON object on one line")
    }
    let object = try LineObject(value)
    if case .number = object["decodes"] {
      self = .decodes(try DecodeRecord(object))
    } else if case .number = object["lost"] {
      self = .loss(try LossRecord(object))
    } else {
      self = .digest(try Self.digest(object))
    }
  }

  private static func digest(_ object: LineObject) throws -> DigestRecord {
    let id = try object.optionalText("id")
    let recordedAt = try object.text("recordedAt")
    let model = try object.text("model")
    let context = try DigestContext(object)
    let errors = try object.array("errors")
    guard id?.isEmpty != true else { throw object.problem("id", "is empty") }
    guard id.map({ $0.utf8.count <= maximumIDLength }) != false else {
      throw object.problem("id", "is longer than \(maximumIDLength) bytes")
    }
    guard let moment = ISO8601.milliseconds(ofTime: recordedAt).map(Moment.init) else {
      throw object.problem("recordedAt", "isn't an ISO 8601 time such as 2026-11-20T10:00:00.123Z")
    }
    guard Moment.earliest...Moment.latest ~= moment else {
      throw object.problem("recordedAt", "is not between the years 1970 and 9999")
    }
    guard !model.isEmpty else { throw object.problem("model", "is empty") }
    let record = DigestRecord(
      id: id.map { DigestID($0) }, recordedAt: moment, model: model, context: context,
      errors: try errors.enumerated().map { index, error in
        try RecordedError(LineObject(error, at: "errors[\(index)]"))
      })
    guard record.occurrences <= DigestRecord.maximumCount else {
      throw LineProblem(
        description: "the counts of errors add up to more than \(DigestRecord.maximumCount)")
    }
    return record
  }
}

extension DigestContext {
  /// - Throws: a ``LineProblem``.
  init(_ object: LineObject) throws {
    self.init(
      release: try object.optionalText("release"),
      environment: try object.optionalText("environment"),
      operation: try object.optionalText("operation"))
  }
}

extension RecordedError {
  /// - Throws: a ``LineProblem``.
  fileprivate init(_ object: LineObject) throws {
    let path = try object.text("path")
    let pattern = try object.optionalText("pattern")
    guard let kind = try ErrorDigest.Kind(rawValue: object.text("kind")) else {
      let known = ErrorDigest.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw object.problem("kind", "is none of \(known)")
    }
    let novelValue = try object.optionalText("novelValue")
    let valueType = try object.optionalText("novelValueType")
    let count = try object.optionalInteger("count") ?? 1
    guard 1...DigestRecord.maximumCount ~= count else {
      throw object.problem("count", "is not between 1 and \(DigestRecord.maximumCount)")
    }
    self.init(
      path: try Self.parsed(path, pattern, object), kind: kind,
      expectedType: try object.optionalText("expectedType"), novelValue: novelValue,
      valueType: novelValue == nil ? nil : valueType, found: try Self.found(object))
    // With several errors, the exact paths are unknown.
    if count > 1 { self.count(count) }
  }

  private static func parsed(
    _ text: String, _ pattern: String?, _ object: LineObject
  ) throws -> ErrorDigest.Path {
    guard let path = ErrorDigest.Path(text) else {
      throw object.problem("path", "isn't a path such as items[3].kind")
    }
    guard let pattern else { return path }
    guard let general = ErrorDigest.Path(pattern),
      let marked = path.markingDictionaryKeys(of: general)
    else { throw object.problem("pattern", "is not the pattern of its path") }
    return marked
  }

  private static func found(_ object: LineObject) throws -> ErrorDigest.FoundValue? {
    let (type, value) = try (object.optionalText("foundType"), object.optionalText("foundValue"))
    guard let name = type else {
      guard value == nil else { throw object.problem("foundValue", "needs a foundType") }
      return nil
    }
    guard let type = ErrorDigest.FoundValue.ValueType(rawValue: name) else {
      let known = ErrorDigest.FoundValue.ValueType.allCases.map(\.rawValue).joined(separator: ", ")
      throw object.problem("foundType", "is none of \(known)")
    }
    guard value == nil || type.mayHaveText else {
      throw object.problem("foundValue", "is not allowed with the foundType \(type.rawValue)")
    }
    return ErrorDigest.FoundValue(type: type, text: value)
  }
}
