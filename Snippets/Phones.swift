// A store in an app: its place, its limits, and an app group that shares it.

import DigestStore
import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Listing: Decodable { @Resilient var kind: Kind? }

let data = Data(#"{"kind": "villa"}"#.utf8)

// snippet.show
var configuration = DigestStore.Configuration.application
configuration.reportsMissingKeys = true
configuration.onWriteFailure = { print("a digest of \($0.model) is not in the file: \($0.error)") }
let store = try DigestStore.application(configuration: configuration)
let listing = try JSONDecoder().decode(Listing.self, from: data, recordingTo: store)
store.flush()  // only to be sure: waits until what was handed over is in the file
print(try store.novelValues().compactMap(\.novelValue))
// snippet.hide

// snippet.show
func openSharedStore() throws -> DigestStore {
  try DigestStore.application(group: "group.com.example.homes")
}
// snippet.hide
_ = (listing, openSharedStore)
