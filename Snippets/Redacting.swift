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
var configuration = DigestStore.Configuration.application
configuration.redact = { entry in
  guard !entry.codingPath.pattern.hasPrefix("card.") else { return nil }
  guard entry.novelValue == nil else { return entry }
  var entry = entry
  entry.foundValue = nil
  entry.message = ""
  return entry
}
let store = try DigestStore.application(configuration: configuration)
let account = try JSONDecoder().decode(Account.self, from: data, recordingTo: store)
store.flush()
for failure in try store.failures() {
  print(failure.codingPath, failure.kind, failure.foundType ?? "-", failure.foundValue ?? "-")
}
for loss in try store.losses() {
  print(loss.reason, loss.occurrences)
}
// snippet.hide
_ = account
try store.close()

// A model of another package, which reads an object of pages over all its keys.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

struct Wiki: Decodable {
  struct Page: Decodable { @Resilient var title: String? }

  private enum CodingKeys: CodingKey { case pages }

  init(from decoder: any Decoder) throws {
    let wiki = try decoder.container(keyedBy: CodingKeys.self)
    let pages = try wiki.nestedContainer(keyedBy: AnyKey.self, forKey: .pages)
    for id in pages.allKeys { _ = try pages.decode(Page.self, forKey: id) }
  }
}

let pages = Data(#"{"pages": {"p7": {"title": 1}, "p8": {"title": 2}}}"#.utf8)
// snippet.show
var wikiConfiguration = DigestStore.Configuration()
wikiConfiguration.redact = { entry in
  var entry = entry
  var components = entry.codingPath.components
  if components.count > 1, components[0] == .key("pages"), case .key(let id) = components[1] {
    components[1] = .dictionaryKey(id)
    entry.codingPath = ErrorDigest.Path(components)
  }
  return entry
}
// snippet.hide
let wikiStore = try DigestStore(path: "wiki.sqlite", configuration: wikiConfiguration)
_ = try JSONDecoder().decode(Wiki.self, from: pages, recordingTo: wikiStore)
for failure in try wikiStore.failures() { print(failure.codingPath, failure.occurrences) }
try wikiStore.close()
