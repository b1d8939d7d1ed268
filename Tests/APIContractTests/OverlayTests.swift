import Foundation
import Testing

@testable import APIContract

/// The changes of a document that would allow what came.
struct OverlayTests {
  /// The schema of a property, and what an overlay adds for the value `z`: where, and what.
  @Test(arguments: [
    (#"{"enum": ["a"]}"#, "/enum", #""z""#),
    (#"{"x-extensible-enum": ["a"]}"#, "/x-extensible-enum", #""z""#),
    (
      #"{"x-extensible-enum": [{"value": "a", "description": "A."}]}"#, "/x-extensible-enum",
      #"{"value":"z"}"#
    ),
    (
      #"{"x-extensible-enum": [{"a": "A."}, {"b": "B."}]}"#, "/x-extensible-enum", #"{"z":""}"#
    ),
    (#"{"enum": ["a"], "x-extensible-enum": true}"#, "/enum", #""z""#),
    (
      #"{"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}"#, "/oneOf", #"{"const":"z"}"#
    ),
    (#"{"anyOf": [{"type": "integer"}, {"const": "b"}]}"#, "/anyOf", #"{"const":"z"}"#),
    (
      #"{"type": "string", "anyOf": [{"const": "a"}, {"const": "b"}]}"#, "/anyOf",
      #"{"const":"z"}"#
    ),
    (#"{"type": "integer", "oneOf": [{"const": 1}]}"#, nil, nil), (#"{"const": "a"}"#, nil, nil),
    (#"{"allOf": [{"const": "a"}]}"#, nil, nil), (#"{"type": "integer"}"#, nil, nil),
  ])
  func `a value is added in the form of its list`(
    schema: String, place: String?, update: String?
  ) throws {
    let contract = try TestContract(
      schemas: #""Listing": {"properties": {"p": \#(schema)}}"#)
    let amendments = contract.judgement(of: .novel("z")).amendments
    #expect(
      amendments.map(\.place.pointer)
        == (place.map { ["/components/schemas/Listing/properties/p\($0)"] } ?? []))
    let (actions, leftOut) = contract.contract.actions(for: amendments.map { ($0, "1 occurrence") })
    #expect(leftOut == 0)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let updates = try actions.map { String(decoding: try encoder.encode($0.update), as: UTF8.self) }
    #expect(updates == (update.map { [$0] } ?? []))
  }
}

extension Amendment {
  fileprivate var place: Place {
    switch self {
    case .addValue(_, let place), .allowNull(let place): place
    }
  }
}
