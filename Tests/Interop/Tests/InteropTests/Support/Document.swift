import Foundation

/// The same payload, written by hand in each of the formats.
///
/// A property list is made of the JSON. It has no null: `$null` stands in, as `PropertyListEncoder`
/// writes it and `PropertyListDecoder` reads it.
struct Document: Sendable {
  let json: String
  let yaml: String
  let xml: String

  func propertyList(as format: Format) throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: withoutNull(
        JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
      ),
      format: format == .plistBinary ? .binary : .xml,
      options: 0
    )
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
