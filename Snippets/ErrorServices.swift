// Sends the first occurrence of each failure to an error service, and the counts of all failures.

import DigestStore
import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Item: Decodable {
  @Resilient var kind: Kind?
  @Resilient var price: Double?
}

struct Listing: Decodable { @Resilient var items: [Item] }

let store = try DigestStore(
  path: "digests.sqlite",
  configuration: DigestStore.Configuration(clock: { Date(timeIntervalSinceNow: -3_600) }))
let data = Data(
  #"""
  {"items": [{"kind": "villa"}, {"kind": "yurt"}, {"kind": "villa", "price": "ask us"}]}
  """#.utf8)
_ = try JSONDecoder().decode(Listing.self, from: data, recordingTo: store)
let lastReport = Date(timeIntervalSinceNow: -86_400)

// snippet.show
/// Returns an error for each failure that was recorded for the first time in a window.
func firstOccurrences(in reader: DigestReader, since: Date, until: Date) throws -> [FailureError] {
  var fingerprints: Set<String> = []
  let rows = try reader.newFailures(matching: DigestFilter(since: since, until: until))
  return rows.compactMap { row in
    // A row without a path counts many failures over a limit.
    guard let path = row.path else { return nil }
    let failure = ErrorDigest.Failure(
      codingPath: path, kind: row.kind, expectedType: row.expectedType)
    let error = FailureError(failure, domain: row.model)
    // Novel values at one path have one fingerprint.
    return fingerprints.insert(error.fingerprint).inserted ? error : nil
  }
}
// snippet.hide

// snippet.show
// A digest of the last minute may still be on its way to the file.
let until = Date(timeIntervalSinceNow: -60)
for error in try firstOccurrences(in: store, since: lastReport, until: until) {
  print(error.code, error.fingerprint, error)
}
// snippet.hide

// snippet.show
var sums: [[String]: Int] = [:]
for failure in try store.failures(matching: DigestFilter(since: lastReport, until: until)) {
  sums[[failure.model, failure.kind.rawValue], default: 0] += failure.occurrences
}
// snippet.hide
for (labels, sum) in sums.sorted(by: { $0.value > $1.value }) { print(labels, sum) }
try store.close()
