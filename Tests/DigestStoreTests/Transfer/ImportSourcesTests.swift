import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Imports from a file by its URL, and from memory.
struct ImportSourcesTests {
  private static let line =
    #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[{"path":"a","kind":"other"}]}"#

  @Test func `a file and its bytes give equal stores`() throws {
    let source = try TemporaryStore()
    try source.store.appendAll(RandomRecords.make(500, seed: 7))
    var text = ""
    try source.store.exportDigests { text += $0 + "\n" }
    let file = source.folder.appending(path: "digests.ndjson")
    try Data(text.utf8).write(to: file)

    let (byURL, byBytes) = (try TemporaryStore(), try TemporaryStore())
    #expect(try byURL.store.importDigests(from: file).added == 500)
    #expect(try byBytes.store.importDigests(Data(text.utf8)).added == 500)
    #expect(try byBytes.store.importDigests(Data(text.utf8)).known == 500)
    #expect(try byURL.store.failures() == source.store.failures())
    #expect(try byBytes.store.failures() == source.store.failures())
  }

  @Test func `an invalid line is named, and nothing is imported`() throws {
    let temporary = try TemporaryStore()
    let data = Data((Self.line + "\n{}\n").utf8)
    let error = #expect(throws: DigestStoreError.self) { try temporary.store.importDigests(data) }
    #expect(error?.code == .invalidInput)
    #expect(error?.description.contains("line 2") == true)
    #expect(try temporary.store.totals().occurrences == 0)
    #expect(try temporary.store.importDigests(data, skippingInvalid: true).added == 1)
    #expect(try temporary.store.importDigests(Data()).added == 0)
  }

  @Test(arguments: [
    ("file:///no/such/file", "/no/such/file"), ("https://example.org/a", "not the URL"),
  ])
  func `what isn't a file is an error with its name`(url: String, text: String) throws {
    let temporary = try TemporaryStore()
    let url = try #require(URL(string: url))
    let error = #expect(throws: DigestStoreError.self) {
      try temporary.store.importDigests(from: url)
    }
    #expect(error?.code == .inputOutput)
    #expect(error?.description.contains(text) == true)
  }
}
