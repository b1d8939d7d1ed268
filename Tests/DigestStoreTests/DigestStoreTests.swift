import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct DigestStoreTests {
  @Test func `a new file is in WAL mode and marked as ours`() throws {
    let temporary = try TemporaryStore(holding: .make())

    #expect(try temporary.query("PRAGMA journal_mode") == ["wal"])
    #expect(try temporary.query("PRAGMA application_id") == ["1145525073"])
    #expect(try temporary.query("PRAGMA user_version") == ["1"])
    #expect(try temporary.query("PRAGMA auto_vacuum") == ["2"])
  }

  @Test func `opening a store again writes nothing`() throws {
    let temporary = try TemporaryStore(holding: .make())
    try temporary.store.close()

    let store = try DigestStore(path: temporary.path)
    #expect(try FileIdentity.find(temporary.path + "-wal")?.size == 0)
    try store.close()
  }

  @Test(arguments: [
    (DigestStore.Durability.processCrash, Int64(1)), (.powerLoss, 2),
  ])
  func `durability decides how commits are synchronised`(
    _ durability: DigestStore.Durability, _ synchronous: Int64
  ) throws {
    let temporary = try TemporaryStore(DigestStore.Configuration(durability: durability))

    let mode = try temporary.store.write { try $0.connection.integer("PRAGMA synchronous") }

    #expect(mode == synchronous)
  }

  @Test func `many that open a new file at the same time agree on it`() throws {
    let folder = try TemporaryFolder()
    for round in 0..<10 {
      let path = folder.url.appending(path: "\(round).sqlite").path
      let problems = Locked<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        do {
          try DigestStore(path: path).append(.make())
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
      #expect(problems.withLock { $0 } == [])
      #expect(try DigestReader(path: path).novelValues().map(\.occurrences) == [8])
    }
  }

  @Test func `a path may hold what means something in a URI`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a?mode=memory#b%20 é.sqlite").path

    try DigestStore(path: path).append(.make())

    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try DigestReader(path: path).novelValues().count == 1)
  }

  @Test func `a closed store is complete in its file`() throws {
    let temporary = try TemporaryStore(holding: .make())
    #expect(try temporary.files().count > 1)

    for _ in 0..<2 { try temporary.store.close() }
    #expect(try temporary.files() == ["digests.sqlite"])
    expectError(.closed) { try temporary.store.novelValues() }
    for companion in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: temporary.path + companion)
    }
    #expect(try DigestReader(path: temporary.path).verify().digests == 1)
  }

  @Test func `everything but a regular file is refused at once`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.url.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, "/dev/zero", "/dev/null"] {
      for open in [{ _ = try DigestStore(path: path) }, { _ = try DigestReader(path: path) }] {
        let error = #expect(throws: DigestStoreError.self, performing: open)
        #expect(error?.description == "\(path): this is not a regular file; name another one")
      }
    }
  }

  @Test func `a long report blocks no writer, and sees one state`() throws {
    let temporary = try TemporaryStore(holding: .make())
    let reader = try Connection.openStoreForReading(at: temporary.path)
    try reader.execute("BEGIN")
    let count = "SELECT count(*) FROM digest"
    #expect(try reader.integer(count) == 1)

    for _ in 0..<2_000 { try temporary.store.append(.make()) }
    try temporary.store.file.checkpoint()

    #expect(try reader.integer(count) == 1)
    try reader.execute("COMMIT")
    #expect(try reader.integer(count) == 2_001)
  }
}
