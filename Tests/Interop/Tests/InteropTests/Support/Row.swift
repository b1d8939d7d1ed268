import ResilientDecoding
import Testing

/// A payload in every format, and what comes of it: stated once, and again where a format differs.
struct Row<Value: Equatable & Sendable>: Sendable, CustomTestStringConvertible {
  let name: String
  let document: Document
  private let consequence: Consequence<Value>
  private var differences: [(ways: @Sendable (Way) -> Bool, consequence: Consequence<Value>)] = []

  init(
    _ name: String,
    json: String,
    yaml: String,
    xml: String,
    _ value: Value,
    _ reports: Report...
  ) {
    self.name = name
    document = Document(json: json, yaml: yaml, xml: xml)
    consequence = Consequence(value: value, reports: reports)
  }

  var testDescription: String { name }
}

extension Row {
  /// States what comes of the payload in some formats, because of what they are.
  ///
  /// - Parameters:
  ///   - reporting: the way of reporting in which it is so; nil for all of them.
  ///   - reason: for who reads the table.
  func differing(
    in formats: Format...,
    reporting: Way.Reporting? = nil,
    because reason: String,
    _ value: Value,
    _ reports: Report...
  ) -> Self {
    var row = self
    row.differences.append(
      (
        { formats.contains($0.format) && reporting ?? $0.reporting == $0.reporting },
        Consequence(value: value, reports: reports)
      )
    )
    return row
  }

  /// Decodes the row and compares all that comes of it.
  func verify<Model: Decodable>(
    _ model: Model.Type,
    _ way: Way,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ value: (Model) -> Value
  ) throws {
    try verifyEntries(model, way, sourceLocation: sourceLocation) { model, _ in value(model) }
  }

  /// Decodes the row and compares all that comes of it, the value made of the entries as well.
  func verifyEntries<Model: Decodable>(
    _ model: Model.Type,
    _ way: Way,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ value: (Model, [ErrorDigest.Entry]) -> Value
  ) throws {
    let expected = differences.first { $0.ways(way) }?.consequence ?? consequence
    let (result, entries) = way.decode(model, from: document)
    let found = Consequence(
      value: value(try result.get(), entries),
      reports: entries.map(Report.init)
    )
    #expect(found == expected, sourceLocation: sourceLocation)
  }
}

/// The whole of what came of a property.
struct Consequence<Value: Equatable & Sendable>: Equatable, Sendable {
  let value: Value
  let reports: [Report]
}
