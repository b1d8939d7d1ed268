import Foundation
import Testing

@testable import DigestStore

/// Whether anyone has written since.
struct DataVersionTests {
  @Test func `reports leave the version as it is, and every write makes it another one`() throws {
    let temporary = try TemporaryStore()
    let reader = try DigestReader(path: temporary.path)
    var versions: Set<DigestStore.DataVersion> = [try reader.dataVersion()]
    for count in 1...3 {
      let before = try temporary.store.dataVersion()
      try temporary.store.append(.make())
      #expect(try temporary.store.dataVersion() != before)
      #expect(versions.insert(try reader.dataVersion()).inserted)
      #expect(try reader.novelValues().map(\.occurrences) == [count])
      #expect(try versions.contains(reader.dataVersion()))
    }
  }

  @Test func `another file in the place of one has another version`() throws {
    let temporary = try TemporaryStore()
    let reader = try DigestReader(path: temporary.path)
    let before = try reader.dataVersion()
    try temporary.store.close()
    try FileManager.default.removeItem(atPath: temporary.path)
    let store = try DigestStore(path: temporary.path)
    #expect(try reader.dataVersion() != before)
    try store.close()
  }
}
