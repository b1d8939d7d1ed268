import ResilientDecoding
import ResilientPlatform

/// What a line of NDJSON adds to a store.
enum ImportedRecord {
  case digest(DigestRecord)
  case decodes(DecodeRecord)

  /// The number of rows and parts of rows that it takes.
  var size: Int {
    switch self {
    case .digest(let record): record.size
    case .decodes: 1
    }
  }
}

/// A line of NDJSON with a number of clean decodes, in the format of an export.
struct DecodeLine: Decodable {
  let id: String
  let hour: String
  let model: String
  let release: String?
  let decodes: DigestLine.Count

  /// Reads a line; nil if it is not about decodes.
  ///
  /// - Throws: a ``DigestLine/Problem``.
  static func record(of line: UnsafeRawBufferPointer) throws -> DecodeRecord? {
    let line = Data(line)
    // Most lines are digests, which need not be parsed to see that.
    guard line.firstRange(of: Data(#""decodes""#.utf8)) != nil,
      (try? JSONDecoder().decode(Kind.self, from: line)) != nil
    else { return nil }
    do {
      return try JSONDecoder().decode(Self.self, from: line).record()
    } catch let error as DecodingError {
      throw DigestLine.Problem(error)
    }
  }

  /// Any line with decodes.
  private struct Kind: Decodable {
    let decodes: DigestLine.Count
  }

  private func record() throws -> DecodeRecord {
    guard !model.isEmpty else { throw DigestLine.Problem(description: "model is empty") }
    guard let origin = UInt64(id, radix: 16).flatMap(Int64.init(exactly:)), origin > 0,
      id.utf8.count == DecodeRecord.idLength, !id.hasPrefix("+")
    else {
      throw DigestLine.Problem(description: "id is not a number of 16 hexadecimal digits")
    }
    guard let moment = ISO8601.milliseconds(ofTime: hour), moment >= 0,
      moment <= Moment.latest.milliseconds, moment % Moment.hour == 0
    else {
      throw DigestLine.Problem(description: "hour is no full hour such as 2026-11-20T10:00:00Z")
    }
    guard 1...Int64.maximumCount ~= Int64(decodes.value) else {
      throw DigestLine.Problem(description: "decodes is not between 1 and 2^53")
    }
    return DecodeRecord(
      origin: origin, hour: moment / Moment.hour, model: model, release: release,
      decodes: Int64(decodes.value))
  }
}

extension DecodeRecord {
  /// The length of the origin in a line, in hexadecimal digits.
  fileprivate static let idLength = 16

  /// Appends the line of an export, with its line break.
  func appendLine(to bytes: inout [UInt8]) {
    let digits = String(origin, radix: 16)
    bytes.append(contentsOf: #"{"id":""#.utf8)
    bytes.append(
      contentsOf: repeatElement(UInt8(ascii: "0"), count: Self.idLength - digits.utf8.count))
    bytes.append(contentsOf: digits.utf8)
    bytes.append(contentsOf: #"","hour":""#.utf8)
    Moment(milliseconds: hour * Moment.hour).append(to: &bytes)
    bytes.append(contentsOf: #"","model":"#.utf8)
    bytes.append(json: model)
    if let release {
      bytes.append(contentsOf: #","release":"#.utf8)
      bytes.append(json: release)
    }
    bytes.append(contentsOf: #","decodes":\#(decodes)}\#n"#.utf8)
  }
}
