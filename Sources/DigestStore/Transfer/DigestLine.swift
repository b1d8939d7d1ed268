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
    let count: LineCount?
  }

  /// An integer. It reports every decoding error as a type mismatch, so that the message can name
  /// the type.
  struct LineCount: Decodable {
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
  struct LineProblem: Error {
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
  /// - Throws: a ``LineProblem``.
  static func imported(_ line: UnsafeRawBufferPointer) throws -> ImportedRecord {
    if let plain = Self(plain: line) { return .digest(try plain.record()) }
    if let decodes = try DecodeLine.record(of: line) { return .decodes(decodes) }
    do {
      return .digest(try JSONDecoder().decode(Self.self, from: Data(line)).record())
    } catch let error as DecodingError {
      throw LineProblem(error)
    }
  }

  private func record() throws -> DigestRecord {
    let context = DigestContext(
      release: release, environment: environment, operation: operation)
    var record = try DigestRecord(id: id, at: moment(), model: model, context: context)
    for object in errors { try record.add(object) }
    guard record.occurrences <= Self.maximumCount else {
      throw LineProblem(
        description: "the counts of errors add up to more than \(Self.maximumCount)")
    }
    return record
  }

  private func moment() throws -> Moment {
    guard let milliseconds = ISO8601.milliseconds(ofTime: recordedAt) else {
      throw LineProblem(
        description: "recordedAt isn't an ISO 8601 time such as 2026-11-20T10:00:00.123Z")
    }
    return Moment(milliseconds: milliseconds)
  }
}

extension DigestRecord {
  /// Makes a digest without errors from external data.
  ///
  /// - Throws: a ``DigestLine/LineProblem``.
  init(id: String?, at moment: Moment, model: String, context: DigestContext) throws {
    guard !model.isEmpty else { throw DigestLine.LineProblem(description: "model is empty") }
    guard id?.isEmpty != true else { throw DigestLine.LineProblem(description: "id is empty") }
    guard id.map({ $0.utf8.count <= DigestLine.maximumIDLength }) != false else {
      throw DigestLine.LineProblem(
        description: "id is longer than \(DigestLine.maximumIDLength) bytes")
    }
    guard Moment.earliest...Moment.latest ~= moment else {
      throw DigestLine.LineProblem(description: "recordedAt is not between the years 1970 and 9999")
    }
    self.init(
      id: id.map { DigestID($0) }, recordedAt: moment, model: model, context: context, errors: [])
  }

  /// Adds an error, with its count.
  ///
  /// - Throws: a ``DigestLine/LineProblem``.
  mutating func add(_ object: DigestLine.ErrorObject) throws {
    errors.append(try object.record(at: "errors[\(errors.count)]"))
  }
}

extension DigestLine.ErrorObject {
  fileprivate func record(at place: String) throws -> RecordedError {
    guard let kind = ErrorDigest.Kind(rawValue: kind) else {
      let known = ErrorDigest.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw DigestLine.LineProblem(description: "\(place).kind is none of \(known)")
    }
    let count = count?.value ?? 1
    guard 1...DigestLine.maximumCount ~= count else {
      throw DigestLine.LineProblem(
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
        throw DigestLine.LineProblem(description: "\(place).foundValue needs a foundType")
      }
      return nil
    }
    guard let type = ErrorDigest.FoundValue.ValueType(rawValue: foundType) else {
      let known = ErrorDigest.FoundValue.ValueType.allCases.map(\.rawValue).joined(separator: ", ")
      throw DigestLine.LineProblem(description: "\(place).foundType is none of \(known)")
    }
    guard foundValue == nil || type.mayHaveText else {
      throw DigestLine.LineProblem(
        description: "\(place).foundValue is not allowed with the foundType \(type.rawValue)")
    }
    return ErrorDigest.FoundValue(type: type, text: foundValue)
  }

  private func parsedPath(at place: String) throws -> ErrorDigest.Path {
    guard let path = ErrorDigest.Path(path) else {
      throw DigestLine.LineProblem(description: "\(place).path isn't a path such as items[3].kind")
    }
    guard let pattern else { return path }
    guard let general = ErrorDigest.Path(pattern),
      let marked = path.markingDictionaryKeys(of: general)
    else {
      throw DigestLine.LineProblem(description: "\(place).pattern is not the pattern of its path")
    }
    return marked
  }
}

extension DigestLine.LineProblem {
  /// Names the invalid member, and quotes no contents of the line, which belong to someone else.
  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      description = "\(ErrorDigest.Path(context.codingPath + [key])) is missing"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let path = ErrorDigest.Path(context.codingPath).description
      description = "\(path.isEmpty ? "the line" : path) isn't \(Self.jsonName(of: type))"
    default:
      description = "it isn't a JSON object on one line"
    }
  }

  /// The name of a type in JSON (RFC 8259, section 3).
  private static func jsonName(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Int.Type: "a whole number"
    case is [Any].Type, is [DigestLine.ErrorObject].Type: "an array"
    default: "an object"
    }
  }
}

/// A fast reader for lines as exports write them, many times faster than a decoder.
///
/// It reads only unambiguous lines. All others are left to `JSONDecoder`: lines with errors, null,
/// unknown or repeated members, surrogates, or bytes that are not UTF-8.
extension DigestLine {
  /// Reads a line; nil if a decoder has to read it.
  init?(plain line: UnsafeRawBufferPointer) {
    var cursor = JSONCursor(line)
    var id: String?
    var recordedAt: String?
    var model: String?
    var release: String?
    var environment: String?
    var operation: String?
    var errors: [ErrorObject]?
    let isPlain = cursor.members { cursor, name in
      switch name.count {
      case 2 where name == "id": return cursor.read(&id)
      case 10 where name == "recordedAt": return cursor.read(&recordedAt)
      case 5 where name == "model": return cursor.read(&model)
      case 7 where name == "release": return cursor.read(&release)
      case 11 where name == "environment": return cursor.read(&environment)
      case 9 where name == "operation": return cursor.read(&operation)
      case 6 where name == "errors":
        guard errors == nil else { return false }
        var read: [ErrorObject] = []
        let isPlain = cursor.elements { cursor in
          guard let object = ErrorObject(plain: &cursor) else { return false }
          read.append(object)
          return true
        }
        errors = read
        return isPlain
      default: return false
      }
    }
    guard isPlain, cursor.next == nil, let recordedAt, let model, let errors else { return nil }
    self.init(
      id: id, recordedAt: recordedAt, model: model, release: release, environment: environment,
      operation: operation, errors: errors)
  }
}

extension DigestLine.ErrorObject {
  fileprivate init?(plain cursor: inout JSONCursor) {
    var path: String?
    var pattern: String?
    var kind: String?
    var novelValue: String?
    var novelValueType: String?
    var expectedType: String?
    var foundType: String?
    var foundValue: String?
    var count: Int?
    let isPlain = cursor.members { cursor, name in
      switch name.count {
      case 4 where name == "path": return cursor.read(&path)
      case 4 where name == "kind": return cursor.read(&kind)
      case 5 where name == "count": return cursor.read(&count)
      case 7 where name == "pattern": return cursor.read(&pattern)
      case 9 where name == "foundType": return cursor.read(&foundType)
      case 10 where name == "novelValue": return cursor.read(&novelValue)
      case 10 where name == "foundValue": return cursor.read(&foundValue)
      case 12 where name == "expectedType": return cursor.read(&expectedType)
      case 14 where name == "novelValueType": return cursor.read(&novelValueType)
      default: return false
      }
    }
    guard isPlain, let path, let kind else { return nil }
    self.init(
      path: path, pattern: pattern, kind: kind, novelValue: novelValue,
      novelValueType: novelValueType, expectedType: expectedType, foundType: foundType,
      foundValue: foundValue, count: count.map(DigestLine.LineCount.init(value:)))
  }
}

extension JSONCursor {
  /// Reads the string of a member. Returns false if the member already has a value.
  fileprivate mutating func read(_ value: inout String?) -> Bool {
    guard value == nil, let text = text()?.validText else { return false }
    value = text
    return true
  }

  /// Reads the number of a member. Returns false if the member already has a value.
  fileprivate mutating func read(_ value: inout Int?) -> Bool {
    guard value == nil, let number = number().flatMap(Int.init(exactly:)) else { return false }
    value = number
    return true
  }
}

/// Whether bytes equal a name.
private func == (bytes: UnsafeRawBufferPointer, name: StaticString) -> Bool {
  bytes.elementsEqual(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
}
