// A reporter of one's own, which writes a digest to the store when it is flushed.

// snippet.hide
import DigestStore
import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Listing: Decodable { @Resilient var kind: Kind? }

let data = Data(#"{"kind": "villa"}"#.utf8)
let store = try DigestStore(path: "digests.sqlite")
// snippet.show
let decoder = JSONDecoder()
let reporter = PersistentErrorReporter(store: store, model: Listing.self, release: "4.2.0")
decoder.userInfo[.resilientDecodingErrorReporter] = reporter
let listing = try decoder.decode(Listing.self, from: data)
reporter.flushReportedErrors()  // returns the digest, which is then committed or reported
// snippet.hide
print(listing)
