// The use of the store in an app, in ten lines.

// snippet.show
import DigestStore
import Foundation
import ResilientDecoding
// snippet.hide

let data = Data(#"{"items": [{"id": 1, "kind": "house"}, {"id": 2, "kind": "villa"}]}"#.utf8)
// snippet.show

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Item: Decodable {
  let id: Int
  @Resilient var kind: Kind?
}

struct Listing: Decodable { @Resilient var items: [Item] }

let store = try DigestStore(path: "digests.sqlite")
let listing = try JSONDecoder().decode(Listing.self, from: data, recordingTo: store)
// snippet.hide
print(listing.items.map { $0.kind?.rawValue ?? "nil" })
