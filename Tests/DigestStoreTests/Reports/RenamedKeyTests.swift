import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// A key that the backend renames: a missing key, an unknown one, and a pair of them.
struct RenamedKeyTests {
  enum Property: CaseIterable, Sendable { case required, optional, `default`, collection }
  enum Place: CaseIterable, Sendable { case allItems, oneItem, root }

  private struct WithRequired: Decodable { let name: String }
  private struct WithOptional: Decodable { @Resilient var name: String? }
  private struct WithDefault: Decodable {
    @ResilientDefault<DefaultValue.EmptyString> var name: String
  }
  private struct WithCollection: Decodable { @Resilient var name: [String] }
  private struct Items<Item: Decodable>: Decodable { @Resilient var items: [Item] }

  private static func record<Item: Decodable>(
    _ type: Item.Type, _ json: String, at place: Place, to store: DigestStore
  ) {
    let (decoder, data) = (JSONDecoder(), Data(json.utf8))
    if place == .root {
      _ = try? decoder.decode(type, from: data, recordingTo: store)
    } else {
      _ = try? decoder.decode(Items<Item>.self, from: data, recordingTo: store)
    }
  }

  @Test(arguments: Property.allCases, Place.allCases)
  func `a renamed key is reported from both sides, and as renamed`(
    property: Property, place: Place
  ) throws {
    let temporary = try TemporaryStore(
      DigestStore.Configuration(reportsMissingKeys: true, reportsUnknownKeys: true))
    let value = property == .collection ? "[]" : #""a""#
    // A key that is always unknown, so that each decode has a digest.
    let (old, new) = (#"{"id": 1, "name": \#(value)}"#, #"{"id": 1, "title": \#(value)}"#)
    func json(renaming isRenamed: Bool) -> String {
      let item = isRenamed ? new : old
      return switch place {
      case .allItems: #"{"items": [\#(item), \#(item)]}"#
      case .oneItem: #"{"items": [\#(old), \#(item)]}"#
      case .root: item
      }
    }
    for json in [false, true].map(json).flatMap({ Array(repeating: $0, count: 4) }) {
      switch property {
      case .required: Self.record(WithRequired.self, json, at: place, to: temporary.store)
      case .optional: Self.record(WithOptional.self, json, at: place, to: temporary.store)
      case .default: Self.record(WithDefault.self, json, at: place, to: temporary.store)
      case .collection: Self.record(WithCollection.self, json, at: place, to: temporary.store)
      }
    }
    let object = place == .root ? "" : "items[]."
    var filter = DigestFilter(codingPath: "*e")
    filter.kinds = [.keyNotFound, .missingKey, .unknownKey]
    #expect(
      Set(
        try temporary.store.failures(matching: filter).map {
          "\($0.codingPath) \($0.kind.rawValue)"
        }) == [
          "\(object)name \(property == .required ? "keyNotFound" : "missingKey")",
          "\(object)title unknownKey",
        ])
    // An unknown key is reported once, in the first object that has it.
    let others = place == .oneItem ? [] : [["\(object)name", "\(object)id", "4"]]
    #expect(
      try temporary.store.renames().map { [$0.oldPath, $0.newPath, "\($0.digests)"] }
        == [["\(object)name", "\(object)title", "4"]] + others)
  }
}
