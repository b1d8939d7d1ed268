import Foundation
import ResilientDecoding

@testable import DigestStore

enum Kind: String, ResilientRawRepresentable {
  case house
}

/// A model that meets a newer backend.
struct Listing: Decodable {
  let id: Int
  @Resilient var kind: Kind?
  @Resilient var items: [Item]

  struct Item: Decodable {
    let id: Int
  }

  static let sound = Data(#"{"id": 1, "kind": "house", "items": [{"id": 1}]}"#.utf8)
  static let drifted = Data(#"{"id": 1, "kind": "villa", "items": [{"id": 1}, {}]}"#.utf8)
  static let unusable = Data(#"{"id": "1", "kind": "villa"}"#.utf8)
}

extension DigestStore {
  /// Decodes and records a listing, which has drifted by default.
  @discardableResult
  func decodeListing(
    _ payload: Data = Listing.drifted, release: String? = nil
  ) throws -> Listing {
    try JSONDecoder().decode(Listing.self, from: payload, recordingTo: self, release: release)
  }
}
