// Digests on their way to a server of one's own.

import DigestStore
import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Listing: Decodable { @Resilient var kind: Kind? }

let data = Data(#"{"kind": "villa"}"#.utf8)
let store = try DigestStore(path: "digests.sqlite")
let listing = try JSONDecoder().decode(Listing.self, from: data, recordingTo: store)
let lastUpload = Date(timeIntervalSinceNow: -86_400)

// snippet.show
// Somewhat more than is new: what the server has already is known by its id.
let filter = DigestFilter(since: lastUpload.addingTimeInterval(-3_600))
var body = ""
try store.exportDigests(matching: filter) { line in
  body += line + "\n"
}
// snippet.hide
print(listing, body)

// snippet.show
let collected = try DigestStore(path: "collected.sqlite")
let upload = URL(filePath: "upload.ndjson")
try Data(body.utf8).write(to: upload)
for _ in 1...2 {
  let file = try FileHandle(forReadingFrom: upload)
  let summary = try collected.importDigests(fromFileDescriptor: file.fileDescriptor)
  print("\(summary.added) added, \(summary.known) known")
}
// snippet.hide
try collected.close()
try store.close()
