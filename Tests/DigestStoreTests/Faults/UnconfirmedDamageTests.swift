import CSQLite
import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

/// A read that fails once looks like damage: on Linux, SQLite reports EIO as SQLITE_CORRUPT.
struct UnconfirmedDamageTests {
  private static let malformed = SQLiteError(
    code: SQLITE_CORRUPT, message: "database disk image is malformed", sql: nil)

  private let place: FaultyPlace
  private let store: DigestStore

  init() throws {
    place = try FaultyPlace()
    store = try place.open()
    try store.see("villa", times: 20)
  }

  private func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try place.names() == ["digests.sqlite", "digests.sqlite-shm", "digests.sqlite-wal"])
    try place.expect(store, toWorkAfter: "a failed read", sourceLocation: sourceLocation)
    #expect(try store.count("villa") == 20, sourceLocation: sourceLocation)
    #expect(try store.losses().isEmpty, sourceLocation: sourceLocation)
  }

  @Test func `a write that meets damage once is repeated, and nothing is set aside`() throws {
    // One write at a time. The array keeps the connections, so that their identities differ.
    nonisolated(unsafe) var connections: [Connection] = []

    try store.write { writer in
      connections.append(writer.connection)
      if connections.count == 1 { throw Self.malformed }
    }

    #expect(connections.count == 2)
    #expect(connections.first !== connections.last)
    try expectSound()
  }

  @Test func `a write that meets damage twice sets the file aside, once`() throws {
    let attempts = Locked(0)

    expectError(.damaged) {
      try store.write { _ in
        attempts.withLock { $0 += 1 }
        throw Self.malformed
      }
    }
    #expect(attempts.withLock { $0 } == 3)
    #expect(try place.broken().count == 1)
    #expect(try store.novelValues().isEmpty)
  }

  @Test func `a report that meets damage which is not there fails, and nothing is set aside`()
    throws
  {
    for reader in [store, try DigestReader(path: place.path)] {
      expectError(
        .inputOutput,
        "\(place.path): the file cannot be read or written (a read failed, and no longer does); "
          + "check the disk and the file"
      ) {
        try reader.readFile { _ in throw Self.malformed }
      }
    }
    try expectSound()
  }

  @Test func `a program that keeps damaged files leaves one where it is`() throws {
    try store.close()
    try place.overwrite(Data(repeating: 0x58, count: 3_900), at: 100)
    let contents = try place.bytes()
    var configuration = DigestStore.Configuration()
    configuration.setsDamagedFilesAside = false

    expectError(.damaged) {
      try DigestStore(path: place.path, configuration: configuration)
    }
    #expect(try place.bytes() == contents)
    #expect(try place.broken().isEmpty)
  }
}
