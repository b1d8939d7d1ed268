// A store for a main thread: digests are handed over, and kept while the app is suspended.

import DigestStore
import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Listing: Decodable { @Resilient var kind: Kind? }

let data = Data(#"{"kind": "villa"}"#.utf8)

// snippet.show
let store = try DigestStore(
  path: "digests.sqlite",
  configuration: DigestStore.Configuration(
    release: "4.2.0",
    writing: .inBackground(),
    onWriteFailure: { print("a digest of \($0.model) is not in the file: \($0.error)") }
  ))
let listing = try JSONDecoder().decode(Listing.self, from: data, recordingTo: store)
store.flush()  // only to be sure: waits until what was handed over is in the file
print(try store.novelValues().compactMap(\.novelValue))
// snippet.hide

// snippet.show
store.suspend()
let second = try JSONDecoder().decode(Listing.self, from: data, recordingTo: store)
do {
  _ = try store.novelValues()
} catch let error as DigestStoreError {
  print(error)
}
store.resume()
print(try store.novelValues().map(\.occurrences))
// snippet.hide
_ = (listing, second)
try store.close()  // before the process ends: writes the digests that wait
