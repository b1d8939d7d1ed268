// An app that sends its digests to a collector.

import DigestStore
import DigestUpload
import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Listing: Decodable { @Resilient var kind: Kind? }

// snippet.show
/// Sends what a collector does not have yet, for example when the app comes to the foreground.
func send(_ store: DigestStore, to collector: URL, token: String) async {
  do {
    let summary = try await store.upload(to: collector, token: token)
    print("sent \(summary.added) digests")
  } catch {
    print("not sent: \(error)")  // The next call sends the rest.
  }
}
// snippet.hide

// snippet.show
let worker = ProcessInfo.processInfo.environment["WORKER"] ?? "0"
let store = try DigestStore(
  path: "worker-\(worker).sqlite",
  configuration: DigestStore.Configuration(maximumAge: .seconds(30 * 86_400)))
// snippet.hide
let data = Data(#"{"kind": "villa"}"#.utf8)
_ = try JSONDecoder().decode(Listing.self, from: data, recordingTo: store)
// Only where there is a collector to be tried with.
if let collector = ProcessInfo.processInfo.environment["COLLECTOR"].flatMap(URL.init(string:)) {
  await send(store, to: collector, token: "0123456789abcdef")
}
try store.close()
