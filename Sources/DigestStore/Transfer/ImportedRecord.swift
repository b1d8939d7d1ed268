import ResilientDecoding
import ResilientPlatform

/// A digest, or a number of decodes, from a line of NDJSON.
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

extension DecodeRecord {
  /// Reads a line with a number of clean decodes.
  ///
  /// - Throws: a ``LineProblem``.
  init(_ object: LineObject) throws {
    guard object["errors"] == nil else {
      throw LineProblem(description: "decodes and errors must be on separate lines")
    }
    let id = try object.text("id")
    let hour = try object.text("hour")
    let model = try object.text("model")
    let context = try DigestContext(object)
    let decodes = try object.optionalInteger("decodes") ?? 0
    guard !model.isEmpty else { throw object.problem("model", "is empty") }
    guard 16...32 ~= id.utf8.count, id.allSatisfy(\.isHexDigit) else {
      throw object.problem("id", "is not the identity of a store: 16 to 32 hexadecimal digits")
    }
    guard let moment = ISO8601.milliseconds(ofTime: hour), moment >= 0,
      moment <= Moment.latest.milliseconds, moment % Moment.hour == 0
    else { throw object.problem("hour", "isn't a full hour such as 2026-11-20T10:00:00Z") }
    guard 1...Int64.maximumCount ~= Int64(decodes) else {
      throw object.problem("decodes", "is not between 1 and 2^53")
    }
    self.init(
      source: id, hour: moment / Moment.hour, model: model, context: context,
      decodes: Int64(decodes))
  }
}
