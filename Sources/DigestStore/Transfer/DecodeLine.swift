import ResilientDecoding
import ResilientPlatform

/// What a line of NDJSON adds to a store.
enum ImportedRecord {
  case digest(DigestRecord)
  case decodes(DecodeRecord)

  /// The number of rows and parts of rows that it takes.
  var size: Int {
    switch self {
    case .digest(let record): record.errors.count + 1
    case .decodes: 1
    }
  }
}

/// The number of clean decodes that a store has counted in an hour.
///
/// The number is absolute: a later export of the same hour has a larger one, which replaces it.
struct DecodeRecord {
  /// The identity of the store.
  let source: String
  let hour: Int64
  let model: String
  let context: DigestContext
  let decodes: Int64

  /// Appends the line of an export, with its line break.
  func appendLine(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: #"{"id":"#.utf8)
    bytes.append(json: source)
    bytes.append(contentsOf: #","hour":""#.utf8)
    Moment(milliseconds: hour * Moment.hour).append(to: &bytes)
    bytes.append(contentsOf: #"","model":"#.utf8)
    bytes.append(json: model)
    for member in context.members where !member.name.isEmpty {
      bytes.append(contentsOf: #","\#(member.column)":"#.utf8)
      bytes.append(json: member.name)
    }
    bytes.append(contentsOf: #","decodes":\#(decodes)}\#n"#.utf8)
  }
}

/// A line of NDJSON with a number of clean decodes, in the format of an export.
struct DecodeLine: Decodable {
  let id: String
  let hour: String
  let model: String
  let release: String?
  let environment: String?
  let operation: String?
  let decodes: DigestLine.LineCount

  /// Reads a line; nil if it is not about decodes.
  ///
  /// - Throws: a ``DigestLine/LineProblem``.
  static func record(of line: UnsafeRawBufferPointer) throws -> DecodeRecord? {
    let line = Data(line)
    // Most lines are digests, which need not be parsed to see that.
    guard line.firstRange(of: Data(#""decodes""#.utf8)) != nil,
      let kind = try? JSONDecoder().decode(LineKind.self, from: line)
    else { return nil }
    guard !kind.hasErrors else {
      throw DigestLine.LineProblem(description: "decodes and errors must be on separate lines")
    }
    do {
      return try JSONDecoder().decode(Self.self, from: line).record()
    } catch let error as DecodingError {
      throw DigestLine.LineProblem(error)
    }
  }

  /// Any line with decodes.
  private struct LineKind: Decodable {
    let hasErrors: Bool

    private enum CodingKeys: CodingKey { case decodes, errors }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      _ = try container.decode(DigestLine.LineCount.self, forKey: .decodes)
      hasErrors = container.contains(.errors)
    }
  }

  private func record() throws -> DecodeRecord {
    guard !model.isEmpty else { throw DigestLine.LineProblem(description: "model is empty") }
    guard 16...32 ~= id.utf8.count, id.allSatisfy(\.isHexDigit) else {
      throw DigestLine.LineProblem(
        description: "id is not the identity of a store: 16 to 32 hexadecimal digits")
    }
    guard let moment = ISO8601.milliseconds(ofTime: hour), moment >= 0,
      moment <= Moment.latest.milliseconds, moment % Moment.hour == 0
    else {
      throw DigestLine.LineProblem(
        description: "hour isn't a full hour such as 2026-11-20T10:00:00Z")
    }
    guard 1...Int64.maximumCount ~= Int64(decodes.value) else {
      throw DigestLine.LineProblem(description: "decodes is not between 1 and 2^53")
    }
    let context = DigestContext(
      release: release, environment: environment, operation: operation)
    return DecodeRecord(
      source: id, hour: moment / Moment.hour, model: model, context: context,
      decodes: Int64(decodes.value))
  }
}
