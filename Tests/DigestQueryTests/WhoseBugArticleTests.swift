import DigestStore
import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

/// The story of the article: an app, a backend, a change to review, a decision and a regression.
struct WhoseBugArticleTests {
  private enum Kind: String, ResilientRawRepresentable { case house, cabin }
  private enum LaterKind: String, ResilientRawRepresentable { case house, cabin, villa }

  private struct Listing<Kind: ResilientRawRepresentable>: Decodable where Kind.RawValue == String {
    let id: Int
    @Resilient var kind: Kind?
    @Resilient var price: Double?
  }

  /// Payloads as they are decoded on a day by a release.
  private static func decode<Kind: ResilientRawRepresentable>(
    _ payloads: [(kind: String, price: String)], day: Int, release: String, knowing: Kind.Type
  ) throws -> String where Kind.RawValue == String {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    let time = Date(timeIntervalSince1970: 1_795_168_800 + Double(day - 20) * 86_400)
    let store = try DigestStore(
      path: path,
      configuration: DigestStore.Configuration(release: release, clock: { time }))
    defer {
      for file in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + file) }
    }
    for payload in payloads {
      let data = Data(#"{"id": 7, "kind": "\#(payload.kind)", "price": \#(payload.price)}"#.utf8)
      _ = try JSONDecoder().decode(
        Listing<Kind>.self, from: data, recordingTo: store, operation: "GET /listings/{id}")
    }
    store.flush()
    var lines = ""
    try store.exportDigests { lines += $0 + "\n" }
    try store.close()
    // The article's app has another name than this test.
    return lines.replacing(/"model":"[^"]*"/, with: #""model":"App.Listing""#)
  }

  private static func payloads(
    _ kinds: [(String, Int)], prices: Int
  ) -> [(kind: String, price: String)] {
    let all = kinds.flatMap { kind, count in Array(repeating: kind, count: count) }
    return all.enumerated().map { ($1, $0 < prices ? #""12.50""# : "12.50") }
  }

  /// What is recorded before the section of a heading.
  private static func record(before heading: String, in sandbox: Sandbox) throws {
    switch heading {
    case "The app says where it decodes":
      try sandbox.load(
        decode(
          payloads([("house", 5), ("villa", 4), ("yurt", 1)], prices: 1), day: 13, release: "4.1.0",
          knowing: Kind.self)
          + decode(
            payloads([("house", 6), ("villa", 2), ("yurt", 2)], prices: 1), day: 15,
            release: "4.1.0", knowing: Kind.self))
    case "It comes back":
      try sandbox.load(
        decode(payloads([("house", 3)], prices: 0), day: 22, release: "4.1.0", knowing: Kind.self)
          + decode(
            payloads([("villa", 6), ("yurt", 1)], prices: 1), day: 22, release: "4.2.0",
            knowing: LaterKind.self))
    default: break
    }
  }

  @Test func `the article tells what happens`() throws {
    let sandbox = try Sandbox()
    let sections = try Article("WhoseBug").text.split(separator: "\n## ").dropFirst()
    var commands = 0
    for section in sections {
      let heading = section.prefix { $0 != "\n" }
      try Self.record(before: String(heading), in: sandbox)
      for block in section.components(separatedBy: "```console\n").dropFirst() {
        let text = block.components(separatedBy: "```")[0]
        for step in ("\n" + text).components(separatedBy: "\n$ ").dropFirst() {
          let (command, shown) = Self.split(step)
          commands += 1
          if command == "cat openapi.json" {
            try sandbox.write(shown, to: "openapi.json")
            continue
          }
          let outcome = try sandbox.runShell(command)
          let printed = (outcome.stdout + outcome.stderr)
            .replacing(/"at": "[^"]*"/, with: #""at": "2026-11-16T09:00:00.000Z""#)
          #expect(printed == shown, "\(command)")
        }
      }
    }
    #expect(commands > 10)
  }

  private static func split(_ step: String) -> (command: String, output: String) {
    let lines = step.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let output = lines.count > 1 ? String(lines[1]) : ""
    return (String(lines[0]), output.isEmpty || output.hasSuffix("\n") ? output : output + "\n")
  }
}
