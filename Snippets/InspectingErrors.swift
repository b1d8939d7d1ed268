// What a digest tells about the errors of a decode, and who else hears of them.

import Foundation
import ResilientDecoding

enum Kind: String, ResilientRawRepresentable { case house, cabin }

struct Address: Decodable { let zip: Int }

struct Item: Decodable {
  @Resilient var kind: Kind?
  @ResilientLossless var rooms: Int
  let address: Address
}

struct Listing: Decodable {
  @Resilient var items: [Item]
  @Resilient var views: [String: Int]
}

let data = Data(
  #"""
  {
    "items": [
      {"kind": "villa", "rooms": "3", "address": {"zip": 1010}},
      {"kind": "yurt", "rooms": 1, "address": {"zip": "A-1020"}},
      {"kind": "cabin", "rooms": 2, "address": {}}
    ],
    "views": {"2026-11-20": 12, "2026-11-21": null}
  }
  """#.utf8)

// MARK: - Entries

let (listing, result) = try JSONDecoder().decode(
  Listing.self, from: data, reportResilientDecodingErrors: true)
guard let digest = result else { fatalError("There are errors in the payload.") }

for entry in digest.entries {
  print(
    """
    \(entry.codingPath)
      pattern    \(entry.codingPath.pattern)
      recovered  \(entry.recoveryPath)
      kind       \(entry.kind)
      expected   \(entry.expectedType ?? "-")
      found      \(entry.foundValue.map { "\($0.type) \($0.text ?? "-")" } ?? "-")
      novel      \(entry.novelValue?.text ?? "-")
    """)
}
print("errors: \(digest.errors.count) of \(digest.entries.count)")
print(
  "with novel values: \(digest.errors(includeUnknownNovelValueErrors: true).count)")
print("--")
print(digest.debugDescription)

// MARK: - A limit

let reporter = ResilientDecodingErrorReporter(maximumEntries: 2)
let decoder = JSONDecoder()
_ = try reporter.collectErrors { try decoder.decode(Listing.self, from: data) }
if let digest = reporter.flushReportedErrors() {
  // snippet.hide
  print("--")
  // snippet.show
  print("\(digest.entries.count) entries, \(digest.errorCount) errors")
  for omission in digest.omissions {
    print("\(omission.count) × \(omission.failure.codingPath) \(omission.failure.kind)")
  }
}

// MARK: - An observer

let (entries, continuation) = AsyncStream.makeStream(of: ErrorDigest.Entry.self)
let observation = ResilientDecodingErrorReporter.addObserver { entry in continuation.yield(entry) }
_ = try JSONDecoder().decode(Listing.self, from: data)
observation.remove()
continuation.finish()
print("--")
for await entry in entries { print("\(entry.codingPath) \(entry.kind)") }

// MARK: - Trying one form after another

struct House: Decodable {
  @Resilient var kind: Kind?
  let rooms: Int
}

struct Boat: Decodable { let length: Double }

enum Place: Decodable {
  case house(House)
  case boat(Boat)

  init(from decoder: any Decoder) throws {
    do {
      self = .house(try decoder.withReportingCheckpoint { try House(from: decoder) })
    } catch {
      self = .boat(try Boat(from: decoder))
    }
  }
}

let (places, placesDigest) = try JSONDecoder().decode(
  [Place].self,
  from: Data(#"[{"kind": "villa", "rooms": 2}, {"kind": "yacht", "length": 12}]"#.utf8),
  reportResilientDecodingErrors: true)
print("--")
print(places.count)
for entry in placesDigest?.entries ?? [] {
  print(entry.codingPath, entry.kind, entry.novelValue?.text ?? "-")
}

// MARK: - What is reported by an init(from:)

struct Version: Decodable {
  let number: Int

  init(from decoder: any Decoder) throws {
    do {
      number = try decoder.singleValueContainer().decode(Int.self)
    } catch {
      decoder.reportError(error)
      number = 0
    }
  }
}

let (_, versionDigest) = try JSONDecoder().decode(
  [Version].self, from: Data(#"[1, "two"]"#.utf8), reportResilientDecodingErrors: true)
print("--")
for entry in versionDigest?.entries ?? [] { print(entry.codingPath, entry.kind) }

// MARK: - When decode throws

struct Strict: Decodable {
  @Resilient var kind: Kind?
  let id: Int
}

let enabled = decoder.enableResilientDecodingErrorReporting()
do {
  _ = try decoder.decode(Strict.self, from: Data(#"{"kind": "villa"}"#.utf8))
} catch {
  enabled.report(error, decoding: Strict.self)
}
print("--")
for entry in enabled.flushReportedErrors()?.entries ?? [] { print(entry.codingPath, entry.kind) }

// MARK: - One property, in a debug build

#if DEBUG
  struct Rooms: Decodable {
    @Resilient var rooms: [Int]
    @Resilient var floors: Int?
  }

  let rooms = try JSONDecoder().decode(Rooms.self, from: Data(#"{"rooms": [1, "two", 3]}"#.utf8))
  // snippet.hide
  print("--")
  // snippet.show
  print(rooms.$floors.outcome, rooms.$rooms.errors.count)
  for result in rooms.$rooms.results {
    switch result {
    case .success(let number): print(number)
    case .failure: print("not decoded")
    }
  }
#endif

let collecting = ResilientDecodingErrorReporter()
do {
  _ = try collecting.collectErrors {
    try JSONDecoder().decode(Strict.self, from: Data(#"{"kind": "villa"}"#.utf8))
  }
} catch {
  // Show an empty page.
}
print("--")
for entry in collecting.flushReportedErrors()?.entries ?? [] { print(entry.codingPath, entry.kind) }

// MARK: - Names of a payload in snake case

struct Home: Decodable { @Resilient var homePage: URL? }

let snakeCase = JSONDecoder()
snakeCase.keyDecodingStrategy = .convertFromSnakeCase
let (_, homeDigest) = try snakeCase.decode(
  [Home].self, from: Data(#"[{"home_page": 7}]"#.utf8), reportResilientDecodingErrors: true)
print("--")
for entry in homeDigest?.entries ?? [] { print(entry.codingPath, entry.kind) }

// MARK: - Without a decoder

func zipCodes(in text: String) -> [Int] {
  text.split(separator: "\n").enumerated().compactMap { index, line in
    if let code = Int(line) { return code }
    ResilientDecodingErrorReporter.report(
      ErrorDigest.Entry(
        codingPath: ErrorDigest.Path([.index(index)]), kind: .typeMismatch, expectedType: "Int",
        foundValue: ErrorDigest.FoundValue(type: .string, text: String(line)),
        message: "The line is not a number."))
    return nil
  }
}

let parsing = ResilientDecodingErrorReporter()
let codes = parsing.collectErrors { zipCodes(in: "1010\nA-1020\n1030") }
// snippet.hide
print("--")
// snippet.show
print(codes)
for entry in parsing.flushReportedErrors()?.entries ?? [] { print(entry) }

// MARK: - Objects keyed by ids

struct PageID: DynamicCodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

struct Pages: Decodable {
  var titles: [String: String] = [:]

  private struct Page: Decodable { @Resilient var title: String? }

  init(from decoder: any Decoder) throws {
    let pages = try decoder.container(keyedBy: PageID.self)
    for id in pages.allKeys {
      titles[id.stringValue] = try pages.decode(Page.self, forKey: id).title
    }
  }
}

let pages = Data(#"{"p7": {"title": 1}, "p8": {"title": 2}}"#.utf8)
let (_, pageErrors) = try JSONDecoder().decode(
  Pages.self, from: pages, reportResilientDecodingErrors: true)
// snippet.hide
print("--")
// snippet.show
print(Set(pageErrors?.entries.map(\.failure) ?? []).map(\.codingPath))

// MARK: - In asynchronous code

@Sendable func listing(from url: URL) async throws -> Listing {
  // snippet.hide
  await Task.yield()
  let data = Data(#"{"items": [{"rooms": 1, "address": {}}]}"#.utf8)
  // snippet.show
  // Fetch the data, then decode it.
  return try JSONDecoder().decode(Listing.self, from: data)
}

let first = URL(filePath: "first.json")
let second = URL(filePath: "second.json")
let fetching = ResilientDecodingErrorReporter()
let listings = try await fetching.collectErrors {
  async let left = listing(from: first)
  async let right = listing(from: second)
  return try await [left, right]
}
// snippet.hide
print("--")
// snippet.show
print("\(listings.count) listings, \(fetching.flushReportedErrors()?.errorCount ?? 0) errors")

// MARK: - For crash and error services

print("--")
let failures = Set(digest.entries.map { FailureError($0.failure, decoding: Listing.self) })
print("\(failures.count) failures of \(digest.entries.count) entries")
for error in failures where error.kind == .unknownNovelValue {
  print(error.domain, error.code, error.fingerprint)
  print(error)
}

// MARK: - Looking at entries in code

print("--")
for entry in digest.entries where entry.codingPath.components.last == .key("zip") {
  print(entry)
}

let zip = ErrorDigest.Path([.key("items"), .anyIndex, .key("address"), .key("zip")])
print(digest.entries.filter { $0.codingPath.generalized == zip }.count)
print(ErrorDigest.Path("items[].address.zip") == zip)

print("--")
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
print(String(decoding: try encoder.encode(digest.entries[0]), as: UTF8.self))
