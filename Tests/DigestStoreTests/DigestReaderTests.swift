import Foundation
import Testing

@testable import DigestStore

struct DigestReaderTests {
  @Test func `reading a path without a file makes none`() throws {
    let folder = try TemporaryStore.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "none.sqlite").path

    let error = #expect(throws: DigestStoreError.self) { try DigestReader(path: path) }

    #expect(error?.code == .noSuchStore)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `a store can be read while another one writes`() throws {
    let temporary = try TemporaryStore()
    let reader = try DigestReader(path: temporary.path)

    for count in 1...5 {
      try temporary.store.append(.make())
      #expect(try reader.novelValues().map(\.occurrences) == [count])
    }
  }

  @Test func `a closed reader leaves the file alone, and answers no more`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    try temporary.store.close()
    let reader = try DigestReader(path: temporary.path)
    #expect(try reader.novelValues().count == 1)

    for _ in 0..<2 { try reader.close() }

    #expect(try temporary.files() == ["digests.sqlite"])
    for report in [{ _ = try reader.novelValues() }, { _ = try reader.verify() }] {
      let error = #expect(throws: DigestStoreError.self, performing: report)
      #expect(error?.code == .closed)
    }
  }

  @Test func `a suspended reader has no open file, and reads again after it`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    try temporary.store.close()
    let reader = try DigestReader(path: temporary.path)
    #expect(try reader.novelValues().count == 1)

    for _ in 0..<2 { reader.suspend() }

    #expect(try temporary.files() == ["digests.sqlite"])
    let error = #expect(throws: DigestStoreError.self) { try reader.novelValues() }
    #expect(error?.code == .suspended)
    for _ in 0..<2 { reader.resume() }
    #expect(try reader.novelValues().count == 1)
    try reader.close()
    reader.resume()
    #expect(throws: DigestStoreError.self) { try reader.novelValues() }
  }

  @Test func `a reader that is released leaves one file`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    try temporary.store.close()

    #expect(try DigestReader(path: temporary.path).novelValues().count == 1)

    #expect(try temporary.files() == ["digests.sqlite"])
  }
}
