// What a store tells of what it has not kept, or not told apart.

import DigestStore
import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Listing: Decodable { @Resilient var kind: Kind? }

/// A clock that the example moves.
final class Clock: @unchecked Sendable {
  private let lock = NSLock()
  private var date: Date

  init(_ date: Date) { self.date = date }

  var now: Date { lock.withLock { date } }

  func advance(by seconds: TimeInterval) { lock.withLock { date += seconds } }
}

let clock = Clock(Date(timeIntervalSince1970: 1_795_000_000))

// snippet.show
var configuration = DigestStore.Configuration()
configuration.maximumNovelValuesPerPath = 2
configuration.maximumAge = .seconds(30 * 86_400)
// snippet.hide
configuration.clock = { clock.now }
// snippet.show
let store = try DigestStore(path: "digests.sqlite", configuration: configuration)
// snippet.hide
let decoder = JSONDecoder()
func record(_ kinds: [String]) throws {
  for kind in kinds {
    let data = Data(#"{"kind": "\#(kind)"}"#.utf8)
    _ = try decoder.decode(Listing.self, from: data, recordingTo: store)
  }
}
try record(["villa", "villa", "yurt", "tent", "treehouse"])
clock.advance(by: 60 * 86_400)
try record(["villa", "houseboat"])
// snippet.show
let pruned = try store.prune()
print(pruned.digests, "digests are gone")
for loss in try store.losses() {
  print(loss.reason, loss.hour.formatted(.iso8601), loss.digests, loss.occurrences)
}
for value in try store.novelValues() {
  print(value.novelValue ?? "", value.occurrences, value.isOverflow)
}
for hit in try store.reachedLimits() {
  print("too many \(hit.limit.rawValue) at \(hit.codingPath ?? "-"): \(hit.occurrences) errors")
}
// snippet.hide

// snippet.show
let past = Date(timeIntervalSince1970: 1_795_000_000 + 600)
let window = try store.countedWindow(matching: DigestFilter(until: past))
print(window.isExact, window.until?.formatted(.iso8601) ?? "-")
// snippet.hide
try store.close()
