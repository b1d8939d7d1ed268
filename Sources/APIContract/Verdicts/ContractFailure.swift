package import ResilientDecoding

/// A failure of an app to decode a payload, as far as a verdict depends on it.
package struct ContractFailure: Sendable {
  package var model: String

  /// The operation whose response was decoded; nil if it is not known.
  package var operation: String?
  package var path: ErrorDigest.Path
  package var kind: ErrorDigest.Kind
  package var expectedType: String?

  /// The raw value that the app does not know, if it is one, and its type.
  package var novelValue: String?
  package var valueType: String?

  /// A sample of what came; nil if it is not known.
  package var found: ErrorDigest.FoundValue?

  package init(
    model: String, operation: String? = nil, path: ErrorDigest.Path, kind: ErrorDigest.Kind,
    expectedType: String? = nil, novelValue: String? = nil, valueType: String? = nil,
    found: ErrorDigest.FoundValue? = nil
  ) {
    self.model = model
    self.operation = operation
    self.path = path
    self.kind = kind
    self.expectedType = expectedType
    self.novelValue = novelValue
    self.valueType = valueType
    self.found = found
  }
}

extension ContractFailure {
  /// The value that came; nil if it is not known.
  var value: FoundJSON? {
    if let novelValue {
      let type = found?.type ?? valueType.map(Self.type(ofRawValue:)) ?? .string
      return FoundJSON(type: type, text: novelValue)
    }
    if let found { return FoundJSON(type: found.type, text: found.text) }
    return kind == .valueNotFound ? FoundJSON(type: .null, text: nil) : nil
  }

  /// The types of JSON that the app takes; nil if its type may be any.
  var acceptedTypes: Set<String>? {
    guard let expectedType else { return nil }
    let name = expectedType.prefix { $0 != "<" }.split(separator: ".").last.map(String.init) ?? ""
    switch name {
    case "String", "Substring", "Character", "URL", "UUID": return ["string"]
    case "Bool": return ["boolean"]
    case "Array", "Set", "ContiguousArray", "ArraySlice": return ["array"]
    case "Dictionary": return ["object"]
    default:
      return Self.isInteger(name) || ["Double", "Float", "Decimal", "CGFloat"].contains(name)
        ? ["number", "integer"] : nil
    }
  }

  private static func type(ofRawValue type: String) -> ErrorDigest.FoundValue.ValueType {
    if type == "Bool" { return .boolean }
    return isInteger(type) || ["Double", "Float", "Decimal"].contains(type) ? .number : .string
  }

  private static func isInteger(_ type: String) -> Bool {
    let name = type.hasPrefix("U") ? type.dropFirst() : type[...]
    return ["Int", "Int8", "Int16", "Int32", "Int64", "Int128"].contains(name)
  }
}
