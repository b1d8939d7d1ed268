// An app that sends its digests to an endpoint of the team's.

import DigestStore
import Foundation
import ResilientDecoding

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Listing: Decodable { @Resilient var kind: Kind? }

// snippet.show
/// Sends the digests since the last upload; those that are there already are not counted again.
func send(_ store: DigestStore, since lastUpload: Date?, to endpoint: URL) async throws {
  let files = FileManager.default
  let upload = files.temporaryDirectory.appending(path: "\(UUID().uuidString).ndjson")
  guard files.createFile(atPath: upload.path, contents: nil) else {
    throw CocoaError(.fileWriteUnknown)
  }
  // If it stays, the system empties the folder.
  defer { try? files.removeItem(at: upload) }

  let file = try FileHandle(forWritingTo: upload)
  var count = 0
  // Some more than is new, for digests that were written late.
  let filter = DigestFilter(since: lastUpload?.addingTimeInterval(-3_600))
  try store.exportDigests(matching: filter) { line in
    try file.write(contentsOf: Data("\(line)\n".utf8))
    count += 1
  }
  try file.close()
  guard count > 0 else { return }

  var request = URLRequest(url: endpoint)
  request.httpMethod = "POST"
  request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
  let (_, response) = try await URLSession.shared.upload(for: request, fromFile: upload)
  guard (response as? HTTPURLResponse)?.statusCode == 204 else {
    throw URLError(.badServerResponse)
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
// Only where there is an endpoint to be tried with.
if let endpoint = ProcessInfo.processInfo.environment["ENDPOINT"].flatMap(URL.init(string:)) {
  try await send(store, since: nil, to: endpoint)
}
try store.close()
