// What decoding a payload with a few faults gives, and what its digest says.

import Foundation
import ResilientDecoding

let data = Data(
  #"""
  {
    "items": [
      {"id": 1, "kind": "house", "price": 120},
      {"id": 2, "kind": "villa", "price": "ask us"},
      {"kind": "cabin"}
    ]
  }
  """#.utf8)

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Item: Decodable {
  let id: Int
  @Resilient var kind: Kind?
  @Resilient var price: Double?
}

struct Listing: Decodable { @Resilient var items: [Item] }

let (listing, digest) = try JSONDecoder().decode(
  Listing.self, from: data, reportResilientDecodingErrors: true)
// snippet.hide

for item in listing.items {
  print(item.id, item.kind?.rawValue ?? "no kind", item.price ?? "no price")
}
print("--")
// snippet.show
for entry in digest?.entries ?? [] {
  print(entry.codingPath, entry.kind, entry.foundValue?.text ?? "-")
}
print("--")
print(digest?.debugDescription ?? "")

// MARK: - In a target that is isolated to the main actor

nonisolated struct Home: Decodable, Sendable {
  let kind: Resilient<Kind?>
}

nonisolated enum Models {
  struct Home: Decodable, Sendable {
    @Resilient var kind: Kind?
  }
}
