// Plays two weeks in the life of an app whose backend drifts, and keeps what went wrong in
// digests.sqlite.

import DigestStore
import Foundation
import ResilientDecoding

// MARK: - What the app knows

enum PropertyKind: String, CaseIterable, ResilientRawRepresentable {
  case apartment, house, cabin
}

enum Amenity: String, CaseIterable, ResilientRawRepresentable {
  case wifi, pool, kitchen, parking
}

enum Plan: String, ResilientRawRepresentable {
  case free, plus
  case unknown
  static var decodingFallback: Self { .unknown }
}

struct ListingFeed: Decodable {
  @Resilient var listings: [Listing]

  struct Listing: Decodable {
    let id: Int
    @Resilient var kind: PropertyKind?
    @Resilient var price: Double?
    @Resilient var amenities: [Amenity]
    @Resilient var rooms: [Room]
  }

  struct Room: Decodable {
    let beds: Int
  }
}

struct Account: Decodable {
  let id: Int
  @Resilient var plan: Plan
  @Resilient var badges: [String]
  @Resilient var limits: [String: Int]
}

// MARK: - What the backend sends, day after day

struct Backend {
  let day: Int
  var dice: Dice

  /// Whether a change that began on a day reaches this document: more of them every day.
  mutating func has(_ change: Int) -> Bool {
    day >= change && dice.roll(12) < min(1 + day - change, 5)
  }

  mutating func listingFeed() -> Data {
    var listings: [String] = []
    for id in 1...4 {
      let kind = has(3) ? ["villa", "villa", "villa", "yurt"][dice.roll(4)] : "house"
      let price = has(6) ? "\"1,250.00\"" : "\(80 + dice.roll(400))"
      let amenity = has(8) ? "ev_charger" : "pool"
      let room = has(10) ? #"{"beds": null}"# : #"{"beds": 2}"#
      listings.append(
        """
        {"id": \(id), "kind": "\(kind)", "price": \(price), "amenities": ["wifi", "\(amenity)"],
          "rooms": [{"beds": 1}, \(room)]}
        """)
    }
    return Data(#"{"listings": [\#(listings.joined(separator: ", "))]}"#.utf8)
  }

  mutating func account() -> Data {
    let plan = has(5) ? "team" : "plus"
    let limits = has(11) ? #"{"seats": "unlimited"}"# : #"{"seats": 5}"#
    let id = day >= 13 && dice.roll(40) == 0 ? #""a-7""# : "7"
    let badges = day >= 13 ? "medals" : "badges"
    return Data(
      #"{"id": \#(id), "plan": "\#(plan)", "\#(badges)": [], "limits": \#(limits)}"#.utf8)
  }
}

/// Numbers that are the same in every run.
struct Dice {
  private var state: UInt64 = 2026

  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % sides
  }
}

// MARK: - The app

/// A clock that the example moves.
final class Clock: @unchecked Sendable {
  private let lock = NSLock()
  private var date: Date

  init(_ date: Date) { self.date = date }

  var now: Date { lock.withLock { date } }

  func advance(by seconds: TimeInterval) { lock.withLock { date += seconds } }
}

let clock = Clock(Date(timeIntervalSinceNow: -14 * 86_400))
let store = try DigestStore(
  path: "digests.sqlite",
  configuration: DigestStore.Configuration(
    reportsMissingKeys: true, reportsUnknownKeys: true,
    onWriteFailure: { print("could not write a digest of \($0.model): \($0.error)") },
    clock: { clock.now }
  ))

let decoder = JSONDecoder()
var backend = Backend(day: 0, dice: Dice())
var shown = 0
var failed = 0
for day in 0..<14 {
  backend = Backend(day: day, dice: backend.dice)
  let release = ["4.0.0", "4.1.0", "4.2.0"][day / 5]
  for _ in 0..<240 {
    clock.advance(by: 6 * 60 - 1)
    do {
      let feed = try decoder.decode(
        ListingFeed.self, from: backend.listingFeed(), recordingTo: store, release: release,
        operation: "GET /listings")
      shown += feed.listings.count
      _ = try decoder.decode(
        Account.self, from: backend.account(), recordingTo: store, release: release,
        operation: "GET /account")
    } catch {
      // Only what cannot be recovered comes here; the store has that too.
      failed += 1
    }
  }
}
try store.close()

let documents = 14 * 240
print(
  "Two weeks, \(documents) feeds and \(documents) accounts: \(shown) listings shown, "
    + "\(failed) accounts beyond recovery.")
