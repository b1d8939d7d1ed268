import Foundation
import ResilientDecoding
import Testing

/// Decodes payloads with `ResilientLossless` as a property, an optional, an element, an entry and a
/// document, and compares the values and the entries.
///
/// - Parameters:
///   - kept: Payloads of the type itself, and their values.
///   - converted: Payloads of another type, and their values.
///   - refused: Payloads that are not converted.
func verifyConversions<Value: Decodable & Equatable & Sendable>(
  kept: [(String, Value)] = [],
  converted: [(String, Value)],
  refused: [String] = [],
  in formats: [Format] = Format.allCases,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let conversions =
    kept.map { Conversion(payload: $0, value: $1, isConverted: false) }
    + converted.map { Conversion(payload: $0, value: $1, isConverted: true) }
    + refused.map { Conversion<Value>(payload: $0, value: nil, isConverted: false) }
  for format in formats {
    for conversion in conversions {
      try conversion.verifyProperty(in: format, sourceLocation)
      try conversion.verifyParts(in: format, sourceLocation)
    }
  }
}

/// The expected conversion of one payload, in any place.
private struct Conversion<Value: Decodable & Equatable & Sendable> {
  let payload: String

  /// Nil if it is refused.
  let value: Value?

  let isConverted: Bool

  /// The found value of the entry.
  private var found: String {
    if payload.hasPrefix("\"") { return "string \(payload)" }
    if ["true", "false"].contains(payload) { return "boolean \(payload)" }
    // A `Decimal` has no negative zero.
    return "number \(payload == "-0" ? payload : Decimal(string: payload)?.description ?? "")"
  }

  func verifyProperty(in format: Format, _ sourceLocation: SourceLocation) throws {
    let model = Result {
      try format.decode(LosslessModel<Value>.self, from: #"{"p": \#(payload)}"#)
    }
    guard let value else {
      #expect(throws: (any Error).self, "\(payload)", sourceLocation: sourceLocation) {
        try model.get()
      }
      return
    }
    let (decoded, digest) = try model.get()
    #expect(decoded.p == value, "\(payload)", sourceLocation: sourceLocation)
    let outcome = decoded.outcomeInWords ?? "decodedSuccessfully"
    #expect(outcome == "decodedSuccessfully", sourceLocation: sourceLocation)
    #expect(digest?.found == (isConverted ? ["p: \(found)"] : nil), sourceLocation: sourceLocation)
    #expect(digest?.errors.isEmpty ?? true, sourceLocation: sourceLocation)
    let all = digest?.errors(includeUnknownNovelValueErrors: true).count
    #expect(all == (isConverted ? 1 : nil), sourceLocation: sourceLocation)
  }

  func verifyParts(in format: Format, _ sourceLocation: SourceLocation) throws {
    let result = isConverted ? "converted, \(found)" : value == nil ? "refused" : "kept"
    let isSilent = payload == "null"
    func expect<Model: WrapperModel>(
      _ model: Model.Type, _ payload: String, isSilent: Bool = false,
      _ value: (Model.Value) -> Value?
    ) throws {
      let (decoded, digest) = try format.decode(model, from: #"{"p": \#(payload)}"#)
      #expect(value(decoded.p) == self.value, "\(payload)", sourceLocation: sourceLocation)
      let results = digest?.entries.map {
        $0.kind == .converted ? "converted, \($0.foundValue?.inWords ?? "nothing")" : "refused"
      }
      #expect(
        results ?? ["kept"] == [isSilent ? "kept" : result], "\(payload)",
        sourceLocation: sourceLocation)
    }
    try expect(LosslessModel<Value?>.self, payload, isSilent: isSilent) { $0 }
    try expect(LosslessModel<[Value]>.self, "[\(payload)]") { $0.first }
    try expect(LosslessModel<[Value?]>.self, "[\(payload)]", isSilent: isSilent) {
      $0.first ?? nil
    }
    try expect(LosslessModel<[String: Value]>.self, #"{"a": \#(payload)}"#) { $0["a"] }
    try expect(LosslessModel<[[Value]]>.self, "[[\(payload)]]") { $0.first?.first }
  }
}
