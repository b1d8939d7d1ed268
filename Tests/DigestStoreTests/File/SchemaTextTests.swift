import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

/// What a released file has stays as it is.
struct SchemaTextTests {
  /// A file whose tables have another text is damaged. So a change here is a further migration, with
  /// a hash and a stored file of its own.
  @Test func `the text of the schema never changes`() {
    let hash = SHA256.digest(Array((Migration.tables + "\n" + Migration.views).utf8))
      .map { String(format: "%02x", $0) }.joined()
    #expect(hash == "94b77963bc6efe11b9e1eaff154099276e466e0a12568506403e267c03ecfae4")
  }

  /// A store that was written in this form: digests of two releases, and clean decodes.
  @Test func `a stored file of this schema opens, counts, and goes on`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "digests.sqlite").path
    try FileManager.default.copyItem(
      at: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "schema-1.store"),
      to: URL(filePath: path))

    let reader = try DigestReader(path: path)
    #expect(try reader.novelValues().map(\.novelValue) == ["villa", "yurt"])
    #expect(try reader.novelValues().map(\.occurrences) == [3, 1])
    #expect(try reader.verify().problems == [])
    try reader.close()

    let store = try DigestStore(path: path)
    try store.append(.make(.novel("villa")))
    #expect(try store.novelValues().map(\.occurrences) == [4, 1])
    #expect(try store.verify().problems == [])
    try store.close()
    #expect(try folder.url.storeFiles() == ["digests.sqlite"])
  }
}
