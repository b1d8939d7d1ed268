import Foundation
import Testing

@testable import DigestStore

struct DigestReaderTests {
  @Test func `reading a path without a file makes none`() throws {
    let place = try FaultyPlace()

    expectError(.noSuchStore) { try DigestReader(path: place.path) }
    #expect(try place.names() == [])
  }

  @Test func `a closed reader leaves the file alone, and answers no more`() throws {
    let temporary = try TemporaryStore(holding: .make())
    try temporary.store.close()
    // One that is released leaves it alone, too.
    #expect(try DigestReader(path: temporary.path).novelValues().count == 1)
    #expect(try temporary.files() == ["digests.sqlite"])
    let reader = try DigestReader(path: temporary.path)
    #expect(try reader.novelValues().count == 1)

    for _ in 0..<2 { try reader.close() }

    #expect(try temporary.files() == ["digests.sqlite"])
    for report in [{ _ = try reader.novelValues() }, { _ = try reader.verify() }] {
      expectError(.closed, when: report)
    }
  }

  @Test func `a suspended reader has no open file, and reads again after it`() throws {
    let temporary = try TemporaryStore(holding: .make())
    try temporary.store.close()
    let reader = try DigestReader(path: temporary.path)
    #expect(try reader.novelValues().count == 1)

    for _ in 0..<2 { reader.suspend() }

    #expect(try temporary.files() == ["digests.sqlite"])
    expectError(.suspended) { try reader.novelValues() }
    for _ in 0..<2 { reader.resume() }
    #expect(try reader.novelValues().count == 1)
    try reader.close()
    reader.resume()
    #expect(throws: DigestStoreError.self) { try reader.novelValues() }
  }
}
