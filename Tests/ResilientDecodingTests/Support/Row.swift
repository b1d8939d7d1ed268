import ResilientDecoding
import Testing

/// A model with one property, `p`, whatever wraps it.
protocol WrapperModel: Decodable {
  associatedtype Value: Equatable & Sendable
  var p: Value { get }

  /// Nil in a release build.
  var outcomeInWords: String? { get }
}

/// A model with one property, `p`, of a type that the compiler knows.
protocol PropertyModel: WrapperModel where Value: Decodable {
  var property: Resilient<Value> { get }
}

extension PropertyModel {
  var outcomeInWords: String? { property.outcomeInWords }
}

/// A model with one property, `p`, of a type that is known only at run time.
struct GenericModel<Value: Decodable & Equatable & Sendable>: PropertyModel {
  @Resilient var p: Value
  var property: Resilient<Value> { _p }
}

/// The expected results for one payload of a property.
struct Row<Value: Equatable & Sendable>: Sendable, CustomTestStringConvertible {
  let payload: String?
  let consequence: Consequence<Value>

  /// - Parameters:
  ///   - payload: The value of the key; nil if the key is missing.
  ///   - outcome: The outcome, compared only in debug builds.
  ///   - visible: The number of reports in `errors`; by default all.
  init(
    _ payload: String?,
    _ value: Value,
    _ outcome: String,
    visible: Int? = nil,
    _ reports: Report...
  ) {
    self.payload = payload
    consequence = Consequence(
      value: value,
      outcome: Resilient<Int>.keepsOutcome ? outcome : nil,
      reports: reports,
      visibleErrors: visible ?? reports.count
    )
  }

  var document: String { payload.map { #"{"p": \#($0)}"# } ?? "{}" }
  var testDescription: String { document }
}

/// All results for a property.
struct Consequence<Value: Equatable & Sendable>: Equatable, Sendable {
  let value: Value
  let outcome: String?
  let reports: [Report]
  let visibleErrors: Int
}

extension Row {
  /// Decodes the row and compares all results.
  func verify<Model: WrapperModel>(
    _ model: Model.Type,
    in format: Format = .json,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws where Model.Value == Value {
    let (decoded, digest) = try format.decode(model, from: document)
    let found = Consequence(
      value: decoded.p,
      outcome: decoded.outcomeInWords,
      reports: digest?.reports ?? [],
      visibleErrors: digest?.errors.count ?? 0
    )
    #expect(found == consequence, sourceLocation: sourceLocation)
    #expect(
      digest?.errors(includeUnknownNovelValueErrors: true).count ?? 0 == consequence.reports.count,
      sourceLocation: sourceLocation
    )
  }
}
