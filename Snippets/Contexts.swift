// A store that knows which environment and operation each payload is of.

import DigestStore
import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Listing: Decodable { @Resilient var kind: Kind? }

let data = Data(#"{"kind": "villa"}"#.utf8)

// snippet.show
let store = try DigestStore(
  path: "digests.sqlite",
  configuration: DigestStore.Configuration(release: "4.2.0", environment: "production"))
let listing = try JSONDecoder().decode(
  Listing.self, from: data, recordingTo: store, operation: "GET /listings/{id}")
// snippet.hide
for model in try store.models(by: .operation) {
  print(model.model, model.contextName ?? "-", model.occurrences, listing.kind == nil)
}
