import CSQLite
import DigestStore
import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

/// An app that opens, reads, copies and moves the file of its own store, while other programs use
/// it.
///
/// Closing any descriptor of a file releases all POSIX locks that the process has on it (SQLite,
/// "How To Corrupt An SQLite Database File", section 2.2). Another process then takes itself for
/// the last user.
///
/// `OWN_FILE_ROUNDS=20` runs more rounds.
@Suite(.needs("sqlite3"))
struct OwnFileTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["OWN_FILE_ROUNDS"].flatMap { Int($0) } ?? 1

  // The app is a process of its own. The locks of the test runner's other tests are not its.
  @Test(.serialized, arguments: 1...rounds)
  func `each acknowledged digest is in one file, and once`(round: Int) async {
    await #expect(processExitsWith: .success) {
      let app = try App()
      let programs = try Programs(in: app.sandbox)
      while programs.isRunning { try app.recordNext() }
      let imported = programs.finish()
      let present = try app.closeAndCount()

      let expected = app.acknowledged.union(imported)
      let lost = expected.filter { present[$0] == nil }
      let twice = present.filter { $0.value > 1 }
      let summary = Comment(
        rawValue: "\(app.acknowledged.count) digests acknowledged, \(imported.count) imported, "
          + "\(app.files.count) files; \(lost.count) lost, \(twice.count) twice, "
          + "\(app.refused.all.count) refused")
      #expect(lost.isEmpty && twice.isEmpty, summary)
      #expect(app.acknowledged.count > 100, summary)
    }
  }
}

/// The app. Each of its digests has a path of its own.
private final class App {
  let sandbox: Sandbox
  let refused = Paths()
  private(set) var acknowledged: Set<String> = []

  /// The store's file, and those that were moved away.
  private(set) var files: [String]

  private let store: DigestStore
  private var number = 0

  private enum Way: CaseIterable {
    case fileHandle, data, copy, connection, move
  }

  init() throws {
    sandbox = try Sandbox()
    let path = sandbox.url(Sandbox.store).path
    let refused = refused
    files = [path]
    store = try DigestStore(
      path: path,
      configuration: DigestStore.Configuration(onWriteFailure: { failure in
        for entry in failure.digest.entries { refused.insert("\(entry.codingPath)") }
      }))
  }

  /// Records a digest, and uses the file in some way after every third one.
  func recordNext() throws {
    number += 1
    let payload = #"{"items":{"a\#(number)":{"kind":"villa"}}}"#
    _ = try JSONDecoder().decode(Listing.self, from: Data(payload.utf8), recordingTo: store)
    let path = "items.a\(number).kind"
    if !refused.all.contains(path) { acknowledged.insert(path) }
    guard number.isMultiple(of: 3) || number.isMultiple(of: 100) else { return }
    try use(number.isMultiple(of: 100) ? .move : Way.allCases[number / 3 % 4])
  }

  private func use(_ way: Way) throws {
    let url = URL(filePath: files[0])
    switch way {
    case .fileHandle:
      let file = try FileHandle(forReadingFrom: url)
      _ = try file.read(upToCount: 100)
      try file.close()
    case .data:
      _ = try Data(contentsOf: url)
    case .copy:
      let copy = sandbox.url("copy.sqlite")
      try FileManager.default.copyItem(at: url, to: copy)
      try FileManager.default.removeItem(at: copy)
    case .connection:
      var connection: OpaquePointer?
      sqlite3_open(files[0], &connection)
      sqlite3_exec(connection, "SELECT count(*) FROM failures", nil, nil, nil)
      sqlite3_close(connection)
    case .move:
      let aside = sandbox.url("moved-\(files.count).sqlite").path
      try #require(rename(files[0], aside) == 0)
      files.append(aside)
    }
  }

  /// Closes the store, and counts how often each path is in the files.
  func closeAndCount() throws -> [String: Int] {
    try store.close()
    var counts: [String: Int] = [:]
    for file in files {
      let reader = try DigestReader(path: file)
      #expect(try reader.verify().problems == [])
      try reader.exportOccurrences { counts[$0.codingPath, default: 0] += 1 }
    }
    return counts.filter { !$0.key.contains("pushed") }
  }
}

/// Programs that run again and again, each in a thread.
private final class Programs: Sendable {
  private static let runs = 30

  private let imported = Paths()
  private let done = DispatchGroup()

  init(in sandbox: Sandbox) throws {
    try sandbox.load(Digest(at: "pushed").line, into: "other.sqlite")
    let shell = try Program.url("sqlite3")
    repeating { [imported] number in
      let path = "items.i\(number).kind"
      var digest = Digest("d-\(number + 1)", at: path)
      digest.errors[0].pattern = "items.*.kind"
      let outcome = try sandbox.run("import -", stdin: digest.line)
      if outcome.status == 0 { imported.insert(path) }
    }
    for line in [
      "prune --max-age 10000d", "push digests.sqlite other.sqlite", "top-novel-values",
    ] {
      repeating { _ in _ = try sandbox.run(line) }
    }
    repeating { _ in
      _ = try sandbox.start([Sandbox.store, "SELECT count(*) FROM failures"], of: shell)
    }
  }

  var isRunning: Bool { done.wait(timeout: .now()) == .timedOut }

  /// Waits for the programs, and returns the paths of the digests that were imported.
  func finish() -> Set<String> {
    done.wait()
    return imported.all
  }

  private func repeating(_ body: @escaping @Sendable (Int) throws -> Void) {
    done.enter()
    Thread.detachNewThread { [done] in
      for number in 0..<Self.runs {
        do { try body(number) } catch { Issue.record(error) }
      }
      done.leave()
    }
  }
}

/// Paths that threads add.
private final class Paths: Sendable {
  private let paths = Locked<Set<String>>([])

  var all: Set<String> { paths.withLock { $0 } }

  func insert(_ path: String) { paths.withLock { _ = $0.insert(path) } }
}

private struct Listing: Decodable {
  @Resilient var items: [String: Item]

  struct Item: Decodable {
    @Resilient var kind: Kind?
  }

  enum Kind: String, ResilientRawRepresentable {
    case house
  }
}
