// A store in five lines, and what can be asked of it.

import DigestStore
import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Item: Decodable {
  let id: Int
  @Resilient var kind: Kind?
}

struct Listing: Decodable { @Resilient var items: [Item] }

let data = Data(
  #"{"items": [{"id": 1, "kind": "villa"}, {"id": 2, "kind": "villa"}, {"kind": "house"}]}"#.utf8)

// snippet.show
let store = try DigestStore.application()
let listing = try JSONDecoder().decode(Listing.self, from: data, recordingTo: store)
store.flush()  // An app's store writes in the background. Flush to read right away.
for value in try store.novelValues() {
  print(value.codingPath, value.novelValue ?? "", value.occurrences)
}
// snippet.hide

// snippet.show
let since = Date(timeIntervalSinceNow: -7 * 86_400)
for failure in try store.failures(matching: DigestFilter(model: "*.Listing", since: since)) {
  print(failure.codingPath, failure.kind, failure.novelValue ?? "-", failure.occurrences)
}
// snippet.hide

// snippet.show
let week = try store.trend(matching: DigestFilter(since: since), by: .day)
let new = try store.newFailures(matching: DigestFilter(novelValue: "*", since: since))
// snippet.hide
print(listing.items.count, week.map(\.occurrences), new.count)

// snippet.show
let reader = try DigestReader(path: store.path)
print(try reader.novelValues().count, try reader.verify().isSound)
// snippet.hide
try store.close()
