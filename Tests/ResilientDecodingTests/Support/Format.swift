import Foundation
import ResilientDecoding

/// The format of a payload. Tests write payloads as JSON; null is `$null` in a property list.
enum Format: String, CaseIterable, Sendable {
  case json
  case xml
  case binary

  /// Decodes with a reporter in the decoder's `userInfo`.
  func decode<T: Decodable>(_ type: T.Type, from json: String) throws -> (T, ErrorDigest?) {
    let reporter = ResilientDecodingErrorReporter()
    let value = try decode(
      type,
      from: json,
      userInfo: [.resilientDecodingErrorReporter: reporter, .foreign: ForeignDecoder.Log()]
    )
    return (value, reporter.flushReportedErrors())
  }

  func decode<T: Decodable>(
    _ type: T.Type,
    from json: String,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    switch self {
    case .json:
      let decoder = JSONDecoder()
      decoder.userInfo = userInfo
      return try decoder.decode(type, from: Data(json.utf8))
    case .xml:
      return try decode(type, fromPropertyList: json, as: .xml, userInfo: userInfo)
    case .binary:
      return try decode(type, fromPropertyList: json, as: .binary, userInfo: userInfo)
    }
  }

  private func decode<T: Decodable>(
    _ type: T.Type,
    fromPropertyList json: String,
    as format: PropertyListSerialization.PropertyListFormat,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let data = try PropertyListSerialization.data(
      fromPropertyList: withoutNull(object),
      format: format,
      options: 0
    )
    let decoder = PropertyListDecoder()
    decoder.userInfo = userInfo
    return try decoder.decode(type, from: data)
  }
}

private func withoutNull(_ object: Any) -> Any {
  switch object {
  case is NSNull: "$null"
  case let array as [Any]: array.map(withoutNull)
  case let dictionary as [String: Any]: dictionary.mapValues(withoutNull)
  default: object
  }
}
