// Three apps of two releases, which decode what a drifting backend sends, and upload their digests.

import DigestStore
import DigestUpload
import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Listing: Decodable {
  @Resilient var kind: Kind?
  @Resilient var price: Double?
}

let payloads = [
  #"{"kind": "house", "price": 480}"#, #"{"kind": "villa", "price": 900}"#,
  #"{"kind": "cabin", "price": "12,50"}"#, #"{"kind": "yurt"}"#,
  #"{"kind": "house", "price": 210}"#,
]

guard let address = ProcessInfo.processInfo.environment["COLLECTOR"],
  let collector = URL(string: address)
else {
  print("name a collector: COLLECTOR=http://127.0.0.1:8080")
  exit(0)
}
let folder = FileManager.default.temporaryDirectory.appending(path: "apps-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
for (number, release) in ["4.1.0", "4.2.0", "4.2.0"].enumerated() {
  let store = try DigestStore(
    path: folder.appending(path: "app-\(number).sqlite").path,
    configuration: DigestStore.Configuration(release: release))
  for decode in 0..<40 {
    // Only the newer release meets a price in the form of a text.
    let payload = payloads[(decode + number) % (release == "4.1.0" ? 2 : payloads.count)]
    _ = try JSONDecoder().decode(
      Listing.self, from: Data(payload.utf8), recordingTo: store, operation: "GET /listings")
  }
  store.flush()
  let summary = try await store.upload(to: collector)
  print("app \(number + 1), release \(release): sent \(summary.added) digests")
  try store.close()
}
