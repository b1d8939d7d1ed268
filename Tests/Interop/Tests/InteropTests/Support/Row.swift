import Testing

/// A payload in every format, and what comes of it: stated once, and again where a format differs.
struct Row<Value: Equatable & Sendable>: Sendable, CustomTestStringConvertible {
  let name: String
  let document: Document
  private let consequence: Consequence<Value>
  private var differences: [Format: Consequence<Value>] = [:]
  private var defects: [(reason: Comment, isMet: @Sendable (Way) -> Bool)] = []

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
  /// - Parameter reason: for who reads the table.
  func differing(
    in formats: Format...,
    because reason: String,
    _ value: Value,
    _ reports: Report...
  ) -> Self {
    var row = self
    for format in formats {
      row.differences[format] = Consequence(value: value, reports: reports)
    }
    return row
  }

  /// Marks what the library does not do yet; the row fails as soon as it does.
  func notYet(
    in formats: Format...,
    reporting: Way.Reporting? = nil,
    because reason: Comment
  ) -> Self {
    var row = self
    row.defects.append(
      (reason, { formats.contains($0.format) && reporting ?? $0.reporting == $0.reporting })
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
    let expected = (differences[way.format] ?? consequence).named(in: way.format)
    func compare() throws {
      let (result, reports) = way.decode(model, from: document)
      let found = Consequence(value: try result.map(value).get(), reports: reports)
      #expect(found == expected, sourceLocation: sourceLocation)
    }
    if let defect = defects.first(where: { $0.isMet(way) }) {
      withKnownIssue(defect.reason, sourceLocation: sourceLocation) { try compare() }
    } else {
      try compare()
    }
  }
}

/// The whole of what came of a property.
struct Consequence<Value: Equatable & Sendable>: Equatable, Sendable {
  let value: Value
  let reports: [Report]

  func named(in format: Format) -> Self {
    Self(value: value, reports: reports.map { $0.named(in: format) })
  }
}
