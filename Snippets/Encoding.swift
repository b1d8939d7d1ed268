// What a decoded model encodes, and what is lost on the way.

import Foundation
import ResilientDecoding

// MARK: - A model

enum Kind: String, ResilientRawRepresentable, Codable { case house, cabin }

struct Listing: Codable {
  let id: Int
  @Resilient var kind: Kind?
  @Resilient var tags: [String]
  @ResilientLossless var price: Double
  @Resilient var builtAt: Date?
}

let data = Data(
  #"""
  {"id": 1, "kind": "villa", "tags": ["sea", 7], "price": "80.5", "built_at": "2026-11-20T00:00:00Z"}
  """#.utf8)

let decoder = JSONDecoder()
decoder.dateDecodingStrategy = .iso8601
decoder.keyDecodingStrategy = .convertFromSnakeCase

let encoder = JSONEncoder()
encoder.dateEncodingStrategy = .iso8601
encoder.keyEncodingStrategy = .convertToSnakeCase
encoder.outputFormatting = .sortedKeys

let listing = try decoder.decode(Listing.self, from: data)
print(String(decoding: try encoder.encode(listing), as: UTF8.self))

// MARK: - A request that changes one property

struct ListingChanges: Encodable {
  var price: Double?
  var tags: [String]?
}

let changes = ListingChanges(price: 75)
print(String(decoding: try encoder.encode(changes), as: UTF8.self))

// MARK: - Open

struct OpenListing: Codable {
  var kind: Open<Kind>
  @Resilient var similar: [Open<Kind>]
  @Resilient var nearby: [Open<Kind>: Int]
}

let open = try decoder.decode(
  OpenListing.self,
  from: Data(#"{"kind": "villa", "similar": ["cabin", "yurt", 7], "nearby": {"tent": 2}}"#.utf8))
switch open.kind {
case .known(.house), .known(.cabin): print("known")
case .unknown(let name): print("unknown: \(name)")
}
print(String(decoding: try encoder.encode(open), as: UTF8.self))

// MARK: - A default of an optional

struct Profile: Codable {
  @ResilientDefault<DefaultValue.EmptyString?> var nickname: String?
}

let encoded = try encoder.encode(Profile(nickname: nil))
let profile = try decoder.decode(Profile.self, from: encoded)
print(String(decoding: encoded, as: UTF8.self), profile.nickname as Any)
