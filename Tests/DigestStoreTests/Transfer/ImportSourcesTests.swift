import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Imports from a file by its URL, and from memory.
struct ImportSourcesTests {
  @Test func `a file and its bytes give equal stores`() throws {
    let source = try TemporaryStore(holding: RandomRecords.make(500, seed: 7))
    let text = try source.store.text()
    let file = source.folder.appending(path: "digests.ndjson")
    try Data(text.utf8).write(to: file)

    let (byURL, byBytes) = (try TemporaryStore(), try TemporaryStore())
    #expect(try byURL.store.importDigests(from: file).added == 500)
    #expect(try byBytes.store.importDigests(Data(text.utf8)).added == 500)
    #expect(try byBytes.store.importDigests(Data(text.utf8)).known == 500)
    #expect(try byBytes.store.importDigests(Data()).added == 0)
    #expect(try byURL.store.failures() == source.store.failures())
    #expect(try byBytes.store.failures() == source.store.failures())
  }

  @Test(arguments: [
    ("file:///no/such/file", "/no/such/file"), ("https://example.org/a", "not the URL"),
  ])
  func `what isn't a file is an error with its name`(url: String, text: String) throws {
    let temporary = try TemporaryStore()
    let url = try #require(URL(string: url))
    expectError(.inputOutput, text) {
      try temporary.store.importDigests(from: url)
    }
  }
}
