import ResilientDecoding
import Testing

/// A payload, and what comes of it: stated once, and again where a format differs.
struct Row<Value: Equatable & Sendable>: Sendable {
  fileprivate let document: Document
  private let consequence: Consequence<Value>
  private var differences: [(ways: @Sendable (Way) -> Bool, consequence: Consequence<Value>)] = []

  init(
    _ json: String, yaml: String? = nil, xml: String? = nil, _ value: Value, _ reports: String...
  ) {
    document = Document(json, yaml: yaml, xml: xml)
    consequence = Consequence(value: value, reports: reports)
  }

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
    _ reports: String...
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

  fileprivate func consequence(of way: Way) -> Consequence<Value> {
    differences.first { $0.ways(way) }?.consequence ?? consequence
  }
}

/// The whole of what came of a property.
private struct Consequence<Value: Equatable & Sendable>: Equatable, Sendable {
  let value: Value
  let reports: [String]
}

/// Decodes each row in each way and compares all that comes of it.
func verify<Model: Decodable, Value>(
  _ rows: [Row<Value>],
  _ model: Model.Type,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ value: (Model) -> Value
) throws {
  try verifyEntries(rows, model, sourceLocation: sourceLocation) { model, _ in value(model) }
}

/// Decodes each row in each way and compares all that comes of it, the value made of the entries as
/// well.
func verifyEntries<Model: Decodable, Value>(
  _ rows: [Row<Value>],
  _ model: Model.Type,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ value: (Model, [ErrorDigest.Entry]) -> Value
) throws {
  for way in Way.all {
    for row in rows {
      let (result, entries) = way.decode(model, from: row.document)
      let found = Consequence(
        value: value(try result.get(), entries), reports: entries.map(\.report))
      #expect(
        found == row.consequence(of: way), "\(row.document.json) in \(way)",
        sourceLocation: sourceLocation)
    }
  }
}
