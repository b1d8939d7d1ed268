import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// The sample of a novel value names the values that the app knows.
struct KnownValuesTests {
  private enum Plan: String, CaseIterable, ResilientRawRepresentable { case free, pro }

  private enum Size: Int, CaseIterable, ResilientRawRepresentable {
    case small = 1
    case large = 2
    static var isFrozen: Bool { true }
  }

  private enum Unlisted: String, ResilientRawRepresentable { case a }

  private struct Many: RawRepresentable, CaseIterable, ResilientRawRepresentable {
    let rawValue: String
    init?(rawValue: String) { return nil }
    private init(number: Int) { rawValue = "v\(number)" }
    static let allCases = (1...30).map(Self.init(number:))
  }

  private struct Model: Decodable {
    @Resilient var plan: Plan?
    @Resilient var size: Size?
    @Resilient var unlisted: Unlisted?
    @Resilient var many: Many?
  }

  @Test func `a type that lists its values has them in the sample`() throws {
    let temporary = try TemporaryStore()
    let json = #"{"plan": "team", "size": 3, "unlisted": "b", "many": "x"}"#
    _ = try JSONDecoder().decode(
      Model.self, from: Data(json.utf8), recordingTo: temporary.store)
    temporary.store.flush()
    let messages = Dictionary(
      try temporary.store.failures().map { failure in
        let filter = try temporary.store.filter(DigestFilter(), ofFailuresNamed: failure.id)
        return (failure.codingPath, try filter.flatMap(temporary.store.message))
      }
    ) { first, _ in first }
    #expect(messages["plan"] == "expected one of free, pro")
    #expect(messages["size"] == "expected one of 1, 2")
    #expect(messages["unlisted"] == "Unknown novel value \"b\"")
    let many = try #require(messages["many"] ?? nil)
    #expect(many.hasPrefix("expected one of v1, v2, ") && many.hasSuffix("v20, …"))
  }
}
