import ResilientDecoding
import ResilientPlatform

/// A line of NDJSON: one digest, in the format of an export.
struct DigestLine: Decodable {
  let id: String?
  let recordedAt: String
  let model: String
  let release: String?
  let environment: String?
  let operation: String?
  let errors: [ErrorObject]

  struct ErrorObject: Decodable {
    let path: String
    let pattern: String?
    let kind: String
    let novelValue: String?
    let novelValueType: String?
    let expectedType: String?
    let foundType: String?
    let foundValue: String?
    let count: Count?
  }

  /// An integer. It reports every decoding error as a type mismatch, so that the message can name
  /// the type.
  struct Count: Decodable {
    let value: Int

    init(value: Int) {
      self.value = value
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        value = try container.decode(Int.self)
      } catch {
        let context = DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "no Int", underlyingError: error)
        throw DecodingError.typeMismatch(Int.self, context)
      }
    }
  }

  /// A problem with a line, described without quoting the line.
  struct Problem: Error {
    let description: String

    static let tooLong = Self(
      description: "it is longer than \(LineReader.maximumLength) bytes; write one digest a line")
  }

  /// The most errors that a line may count.
  static let maximumCount = DigestRecord.maximumCount

  /// The longest id, in bytes of UTF-8.
  static let maximumIDLength = 1_000

  /// Reads a line.
  ///
  /// - Throws: a ``Problem``.
  static func imported(_ line: UnsafeRawBufferPointer) throws -> ImportedRecord {
    if let plain = Self(plain: line) { return .digest(try plain.record()) }
    if let decodes = try DecodeLine.record(of: line) { return .decodes(decodes) }
    do {
      return .digest(try JSONDecoder().decode(Self.self, from: Data(line)).record())
    } catch let error as DecodingError {
      throw Problem(error)
    }
  }

  private func record() throws -> DigestRecord {
    let context = DigestContext(
      release: release, environment: environment, operation: operation)
    var record = try DigestRecord(id: id, at: moment(), model: model, context: context)
    for object in errors { try record.add(object) }
    guard record.occurrences <= Self.maximumCount else {
      throw Problem(description: "errors count more than \(Self.maximumCount) errors together")
    }
    return record
  }

  private func moment() throws -> Moment {
    guard let milliseconds = ISO8601.milliseconds(ofTime: recordedAt) else {
      throw Problem(
        description: "recordedAt is no ISO 8601 time such as 2026-11-20T10:00:00.123Z")
    }
    return Moment(milliseconds: milliseconds)
  }
}

extension DigestRecord {
  /// Makes a digest without errors from external data.
  ///
  /// - Throws: a ``DigestLine/Problem``.
  init(id: String?, at moment: Moment, model: String, context: DigestContext) throws {
    guard !model.isEmpty else { throw DigestLine.Problem(description: "model is empty") }
    guard id?.isEmpty != true else { throw DigestLine.Problem(description: "id is empty") }
    guard id.map({ $0.utf8.count <= DigestLine.maximumIDLength }) != false else {
      throw DigestLine.Problem(
        description: "id is longer than \(DigestLine.maximumIDLength) bytes")
    }
    guard Moment.earliest...Moment.latest ~= moment else {
      throw DigestLine.Problem(description: "recordedAt is not between the years 1970 and 9999")
    }
    self.init(
      id: id.map { DigestID($0) }, recordedAt: moment, model: model, context: context, errors: [])
  }

  /// Adds an error, with its count.
  ///
  /// - Throws: a ``DigestLine/Problem``.
  mutating func add(_ object: DigestLine.ErrorObject) throws {
    errors.append(try object.record(at: "errors[\(errors.count)]"))
  }
}

extension DigestLine.ErrorObject {
  fileprivate func record(at place: String) throws -> RecordedError {
    guard let kind = ErrorDigest.Kind(rawValue: kind) else {
      let known = ErrorDigest.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw DigestLine.Problem(description: "\(place).kind is none of \(known)")
    }
    let count = count?.value ?? 1
    guard 1...DigestLine.maximumCount ~= count else {
      throw DigestLine.Problem(
        description: "\(place).count is not between 1 and \(DigestLine.maximumCount)"
      )
    }
    var record = RecordedError(
      path: try parsedPath(at: place),
      kind: kind,
      expectedType: expectedType,
      novelValue: novelValue,
      valueType: novelValue == nil ? nil : novelValueType,
      found: try found(at: place)
    )
    // With several errors, the exact paths are unknown.
    if count > 1 { record.count(count) }
    return record
  }

  private func found(at place: String) throws -> ErrorDigest.FoundValue? {
    guard let foundType else {
      guard foundValue == nil else {
        throw DigestLine.Problem(description: "\(place).foundValue needs a foundType")
      }
      return nil
    }
    guard let type = ErrorDigest.FoundValue.ValueType(rawValue: foundType) else {
      let known = ErrorDigest.FoundValue.ValueType.allCases.map(\.rawValue).joined(separator: ", ")
      throw DigestLine.Problem(description: "\(place).foundType is none of \(known)")
    }
    guard foundValue == nil || type.mayHaveText else {
      throw DigestLine.Problem(
        description: "\(place).foundValue is not allowed with the foundType \(type.rawValue)")
    }
    return ErrorDigest.FoundValue(type: type, text: foundValue)
  }

  private func parsedPath(at place: String) throws -> ErrorDigest.Path {
    guard let path = ErrorDigest.Path(path) else {
      throw DigestLine.Problem(description: "\(place).path is no path such as items[3].kind")
    }
    guard let pattern else { return path }
    guard let general = ErrorDigest.Path(pattern),
      let marked = path.markingDictionaryKeys(of: general)
    else {
      throw DigestLine.Problem(description: "\(place).pattern is not the pattern of its path")
    }
    return marked
  }
}

extension DigestLine.Problem {
  /// Names the invalid member, and quotes no contents of the line, which belong to someone else.
  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      description = "\(ErrorDigest.Path(context.codingPath + [key])) is missing"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let path = ErrorDigest.Path(context.codingPath).description
      description = "\(path.isEmpty ? "the line" : path) is no \(Self.jsonName(of: type))"
    default:
      description = "it is no JSON object on one line"
    }
  }

  /// The name of a type in JSON (RFC 8259, section 3).
  private static func jsonName(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "string"
    case is Int.Type: "whole number"
    case is [Any].Type, is [DigestLine.ErrorObject].Type: "array"
    default: "object"
    }
  }
}
