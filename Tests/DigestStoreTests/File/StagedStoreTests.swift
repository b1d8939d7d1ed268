import Foundation
import Testing

@testable import DigestStore

/// A new store that is filled beside its place.
struct StagedStoreTests {
  private static let line =
    #"{"id":"a","recordedAt":"2026-11-20T10:00:00Z","model":"M","failures":[]}"#

  private struct Refusal: Error {}

  private func withFile<Result>(
    _ text: String, in folder: URL, _ body: (Int32) throws -> Result
  ) throws -> Result {
    let file = folder.appending(path: "lines")
    try Data(text.utf8).write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    defer {
      try? handle.close()
      try? FileManager.default.removeItem(at: file)
    }
    return try body(handle.fileDescriptor)
  }

  private func files(_ folder: TemporaryFolder) throws -> [String] {
    try folder.url.storeFiles()
  }

  @Test func `a new store is not there before it is complete`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.sqlite").path
    try DigestStore.withStore(at: path, .init()) { store, isDraft in
      #expect(isDraft)
      try store.append(.make())
      #expect(!FileManager.default.fileExists(atPath: path))
    }
    #expect(try files(folder) == ["a.sqlite"])
    #expect(try DigestReader(path: path).verify().digests == 1)
  }

  @Test func `nothing is left of a store that does not become complete`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.sqlite").path
    #expect(throws: Refusal.self) {
      try DigestStore.withStore(at: path, .init()) { store, _ in
        try store.append(.make())
        throw Refusal()
      }
    }
    #expect(try files(folder) == [])
  }

  @Test func `a store that another process makes meanwhile is filled instead`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.sqlite").path
    var drafts: [Bool] = []
    let added = try DigestStore.withStore(at: path, .init()) { store, isDraft in
      drafts.append(isDraft)
      if isDraft { try DigestStore(path: path).append(.make()) }
      return try store.importText(Self.line).added
    }
    #expect(added == 1)
    #expect(drafts == [true, false])
    #expect(try files(folder) == ["a.sqlite"])
    #expect(try DigestReader(path: path).verify().digests == 2)
  }

  @Test func `a store that is there is filled as it is`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    try DigestStore.withStore(at: temporary.path, .init()) { store, isDraft in
      #expect(!isDraft)
      try store.append(.make())
    }
    #expect(try temporary.store.verify().digests == 2)
  }

  @Test func `what a closed store leaves beside it keeps no new one from being complete at once`()
    throws
  {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    try temporary.store.close()
    try FileManager.default.removeItem(atPath: temporary.path)

    try DigestStore.withStore(at: temporary.path, .init()) { store, isDraft in
      #expect(isDraft)
      try store.append(.make(), .make())
    }

    #expect(try temporary.files() == ["digests.sqlite"])
    #expect(try DigestReader(path: temporary.path).verify().digests == 2)
  }

  @Test(arguments: ["-wal", "-shm"])
  func `leftovers of another store never become part of a new one`(companion: String) throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.sqlite").path
    try FileManager.default.copyItem(
      atPath: temporary.path + companion, toPath: path + companion)

    let summary = try withFile(Self.line, in: folder.url) {
      try DigestStore.importDigests(fromFileDescriptor: $0, intoStoreAt: path)
    }

    #expect(summary.added == 1)
    let store = try DigestReader(path: path)
    #expect(try store.verify().digests == 1)
    #expect(try store.verify().isSound)
  }

  @Test func `an import into a new store that ends early leaves nothing and says nothing of parts`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.sqlite").path
    let line = Self.line.replacing("[]", with: #"[{"path":"a","kind":"other"}]"#)
    let lines = (0..<Addition.largestWhole + 1_000).map {
      line.replacing(#""a","rec"#, with: #""d-\#($0)","rec"#)
    }
    let file = folder.url.appending(path: "lines")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let handle = try FileHandle(forUpdating: file)
    let descriptor = handle.fileDescriptor
    var configuration = DigestStore.Configuration()
    // The file is shorter when it is read for the second time.
    configuration.redact = { entry in
      ftruncate(descriptor, 900_000)
      return entry
    }
    let error = #expect(throws: DigestStoreError.self) {
      try DigestStore.importDigests(
        fromFileDescriptor: descriptor, intoStoreAt: path, configuration: configuration)
    }
    #expect(
      error?.description
        == "the file has changed while it was read; import it when it is complete")
    #expect(try files(folder) == ["lines"])
  }
}
