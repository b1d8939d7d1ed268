import Testing

@testable import ResilientDecoding

/// A model with one property, `p`, whatever wraps it.
protocol WrapperModel: Decodable {
  associatedtype Value: Equatable & Sendable
  var p: Value { get }

  /// Nil in a release build.
  var outcomeInWords: String? { get }
}

extension WrapperModel {
  var outcomeInWords: String? {
    (Mirror(reflecting: self).children.first?.value as? any ComposableWrapper)?.outcomeInWords
  }
}

/// A model with one property, `p`, that is `Resilient` and whose type the compiler knows.
protocol PropertyModel: WrapperModel where Value: Decodable {}

/// A model with one property, `p`, of a type that is known only at run time.
struct GenericModel<Value: Decodable & Equatable & Sendable>: PropertyModel {
  @Resilient var p: Value
}

/// The expected results for one payload of a property.
struct Row<Value: Equatable & Sendable>: Sendable {
  let document: String
  fileprivate let consequence: Consequence<Value>

  /// - Parameters:
  ///   - payload: The value of the key; nil if the key is missing.
  ///   - outcome: The outcome, compared only in debug builds.
  ///   - visible: The number of reports in `errors`; by default all.
  init(
    _ payload: String?, _ value: Value, _ outcome: Outcome, visible: Int? = nil,
    _ reports: String...
  ) {
    document = payload.map { #"{"p": \#($0)}"# } ?? "{}"
    consequence = Consequence(
      value: value, outcome: outcome.rawValue, reports: reports,
      visibleErrors: visible ?? reports.count)
  }
}

/// The outcomes of properties.
enum Outcome: String {
  case decoded = "decodedSuccessfully"
  case missing = "keyNotFound"
  case null = "valueWasNil"
  case mismatched = "recoveredFrom(typeMismatch, wasReported: true)"
  case corrupted = "recoveredFrom(dataCorrupted, wasReported: true)"
  case novel = "recoveredFrom(UnknownNovelValueError, wasReported: true)"
  case lacksKey = "recoveredFrom(keyNotFound, wasReported: true)"
  case lacksValue = "recoveredFrom(valueNotFound, wasReported: true)"
  case lacksElements = "recoveredFrom(ArrayDecodingError, wasReported: false)"
  case lacksEntries = "recoveredFrom(DictionaryDecodingError, wasReported: false)"
}

/// All results for a property.
private struct Consequence<Value: Equatable & Sendable>: Equatable, Sendable {
  let value: Value
  let outcome: String
  let reports: [String]
  let visibleErrors: Int
}

/// Decodes each row in each format, by Foundation's decoder and by another one, and compares all
/// results.
func verify<Model: WrapperModel>(
  _ model: Model.Type,
  in formats: [Format] = Format.allCases,
  _ rows: [Row<Model.Value>],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  for format in formats {
    for row in rows {
      try row.compare(model, in: format, sourceLocation)
      try row.compare(Foreignly<Model>.self, in: format, sourceLocation)
    }
  }
}

/// Verifies the rows for a property whose type the compiler knows, and for one of a generic model.
func verify<Model: PropertyModel>(
  _ model: Model.Type, _ rows: [Row<Model.Value>], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  for format in Format.allCases {
    for row in rows {
      try row.compare(model, in: format, sourceLocation)
      try row.compare(Foreignly<Model>.self, in: format, sourceLocation)
      try row.compare(GenericModel<Model.Value>.self, in: format, sourceLocation)
    }
  }
}

extension Row {
  fileprivate func compare<Model: WrapperModel>(
    _ model: Model.Type, in format: Format, _ sourceLocation: SourceLocation
  ) throws where Model.Value == Value {
    let (decoded, digest) = try format.decode(model, from: document)
    let found = Consequence(
      value: decoded.p,
      outcome: decoded.outcomeInWords ?? consequence.outcome,
      reports: digest?.reports ?? [],
      visibleErrors: digest?.errors.count ?? 0)
    let comment: Comment = "\(document) as \(format) by \(model)"
    #expect(found == consequence, comment, sourceLocation: sourceLocation)
    let all = digest?.errors(includeUnknownNovelValueErrors: true).count ?? 0
    #expect(all == consequence.reports.count, comment, sourceLocation: sourceLocation)
  }
}
