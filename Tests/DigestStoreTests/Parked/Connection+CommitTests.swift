import Foundation
import Testing

@testable import DigestStore

/// Commits whose log is renamed, deleted or replaced at that moment.
struct ConnectionCommitTests {
  private let place: FaultyPlace
  private let connection: Connection

  init() throws {
    place = try FaultyPlace()
    try place.makeStore(digests: 1)
    connection = try Connection.openStore(at: place.path, DigestStore.Configuration())
    try Self.commit("last", on: connection)
  }

  private static func commit(_ name: String, on connection: Connection) throws {
    try connection.transaction {
      try connection.execute("INSERT INTO model (name) VALUES ('\(name)')")
    }
  }

  private static func deleteLog(_ place: FaultyPlace) throws {
    for companion in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: place.path + companion)
    }
  }

  /// Whether a file itself, without a log, has the commit.
  private func isCopied(to path: String) throws -> Bool {
    try Connection(path: path, mode: .immutable).integer("SELECT 1 FROM model WHERE name = 'last'")
      == 1
  }

  @Test func `a commit in the log at the path is confirmed`() throws {
    try connection.confirmCommit()
    #expect(try !isCopied(to: place.path))
  }

  @Test func `a commit whose log was deleted is copied into the file`() throws {
    try Self.deleteLog(place)
    try connection.confirmCommit()
    #expect(try isCopied(to: place.path))
  }

  @Test func `a commit whose file was moved is copied into that file`() throws {
    let aside = place.path + ".moved"
    try #require(rename(place.path, aside) == 0)
    try connection.confirmCommit()
    #expect(try !isCopied(to: aside))
    try Self.deleteLog(place)
    try connection.confirmCommit()
    #expect(try isCopied(to: aside))
  }

  @Test func `a commit whose log was replaced is repeated unless it was copied`() async {
    await #expect(processExitsWith: .success) {
      for isCopied in [false, true] {
        let place = try FaultyPlace()
        let other = try OtherProcess(path: place.path)
        try place.makeStore(digests: 1)
        var connection = try Optional(
          Connection.openStore(at: place.path, DigestStore.Configuration()))
        try Self.commit("last", on: #require(connection))
        if isCopied { try connection?.checkpoint() }
        try Self.deleteLog(place)
        try other.see("tent")

        let confirmed = Result { try connection?.confirmCommit() }
        connection = nil
        let isRefused =
          if case .failure(let error) = confirmed { error is Connection.FilesMoved } else { false }
        #expect(isRefused == !isCopied)
        let reader = try DigestReader(path: place.path)
        #expect(try reader.count("tent") == 1)
        #expect(
          try reader.read { try $0.integer("SELECT count(*) FROM model WHERE name = 'last'") }
            == (isCopied ? 1 : 0))
        try other.close()
      }
    }
  }
}
