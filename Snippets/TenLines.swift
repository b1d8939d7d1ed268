// The use of the store in an app: the program that README shows, as a reader pastes it.

import DigestStore
import Foundation
import ResilientDecoding

enum Kind: String, Codable, ResilientRawRepresentable { case house, cabin }

struct Item: Codable {
  let id: Int
  @Resilient var kind: Kind?
}

struct Listing: Codable { @Resilient var items: [Item] }

let data = Data(
  #"{"items": [{"id": 1, "kind": "house"}, {"id": 2, "kind": "villa"}, {"kind": "cabin"}]}"#.utf8)

let store = try DigestStore.application()
let listing = try JSONDecoder().decode(Listing.self, from: data, recordingTo: store)
for item in listing.items { print(item.id, item.kind?.rawValue ?? "no kind") }
store.flush()  // An app's store writes in the background. Flush to read right away.
for failure in try store.failures() {
  print(failure.codingPath, failure.kind, failure.novelValue ?? "-", failure.occurrences)
}
try store.close()
