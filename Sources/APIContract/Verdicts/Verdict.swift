package import ResilientDecoding

/// Whose bug a failure is, by the document of the API.
package enum Verdict: String, CaseIterable, Sendable {
  case appBehind = "app-behind"
  case contractBroken = "contract-broken"
  case undocumented
  case modelDiffers = "model-differs"
  case unmapped

  /// The meaning, as words after "it means that".
  package var meaning: String {
    switch self {
    case .appBehind: "the document allows what came, and the app does not"
    case .contractBroken: "the document excludes what came, or requires the missing key"
    case .undocumented: "the document has no rule for the value, or no such property"
    case .modelDiffers: "the app requires what the document lets be missing or null"
    case .unmapped:
      "no schema for the model or path, or what came is not known"
    }
  }
}

/// A verdict with its reason.
package struct Judgement: Sendable {
  package let verdict: Verdict

  /// The schema or the keyword that decided; nil if there is none.
  package let place: SourcePlace?

  /// One sentence without its period.
  package var reason: String

  /// A mapping that may lead to a schema; nil if there is a schema.
  package var missing: MissingMapping?

  /// The model of the map whose schema judged the failure; nil if another schema did.
  package var mapping: String?

  /// Why another schema may be meant; nil if the failure was judged.
  package var deadEnd: DeadEnd?

  package init(
    verdict: Verdict, place: SourcePlace?, reason: String, missing: MissingMapping? = nil,
    deadEnd: DeadEnd? = nil
  ) {
    self.verdict = verdict
    self.place = place
    self.reason = reason
    self.missing = missing
    self.deadEnd = deadEnd
  }
}

/// Why the schema of an operation says nothing of a failure.
package enum DeadEnd: Sendable {
  /// It has nothing at the path.
  case noPath
  /// It has something that cannot be followed.
  case unreadable
}

/// A mapping of a model to a schema that someone has to choose.
package struct MissingMapping: Sendable {
  package let model: String

  /// A schema that may be meant; nil if none is known.
  package let schema: String?
}

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
