// What an app keeps out of its store.

import DigestStore
import Foundation
import ResilientDecoding

enum Plan: String, ResilientRawRepresentable { case free, plus }

struct Card: Decodable { @Resilient var number: Int? }

struct Account: Decodable {
  @Resilient var plan: Plan?
  @Resilient var age: Int?
  @Resilient var card: Card?
}

let data = Data(#"{"plan": "team", "age": "forty-two", "card": {"number": "4111 1111"}}"#.utf8)

// snippet.show
var configuration = DigestStore.Configuration()
configuration.redact = { entry in
  guard !entry.codingPath.pattern.hasPrefix("card.") else { return nil }
  guard entry.novelValue == nil else { return entry }
  var entry = entry
  entry.foundValue = nil
  entry.message = ""
  return entry
}
let store = try DigestStore(path: "digests.sqlite", configuration: configuration)
let account = try JSONDecoder().decode(Account.self, from: data, recordingTo: store)
for failure in try store.failures() {
  print(failure.codingPath, failure.kind, failure.foundType ?? "-", failure.foundValue ?? "-")
}
for loss in try store.losses() {
  print(loss.reason, loss.occurrences)
}
// snippet.hide
_ = account
try store.close()
