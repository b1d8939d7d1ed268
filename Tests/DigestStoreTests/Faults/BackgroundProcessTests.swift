import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// A process that is killed may have held digests in memory; the file says so.
///
/// Each test forks, in a process of its own (see ``ForkTests``), and the child ends.
// ThreadSanitizer does not follow a process with threads into its child.
@Suite(.enabled(if: dlsym(nil, "__tsan_init") == nil))
struct BackgroundProcessTests {
  /// How a process ends that has written one digest.
  enum Ending: CaseIterable {
    case kill, close, suspend, exit

    fileprivate func end(_ store: DigestStore) throws -> Never {
      switch self {
      case .kill: break
      case .close: try store.close()
      case .suspend: store.suspend()
      case .exit: Foundation.exit(0)
      }
      // As if the system had killed it.
      Foundation.kill(getpid(), SIGKILL)
      _exit(1)
    }
  }

  @Test func `a process that is killed while it writes in the background is counted once`() async {
    await #expect(processExitsWith: .success) {
      for ending in Ending.allCases {
        for writing in [DigestStore.Writing.inBackground(), .beforeReturning] {
          let isLost = if case .inBackground = writing { ending == .kill } else { false }
          let place = try end(ending, writing)
          let reader = try DigestReader(path: place.path)
          #expect(try reader.diagnose().backgroundProcesses.count == (isLost ? 1 : 0), "\(ending)")
          #expect(try reader.count("villa") == 1, "\(ending)")
          #expect(try reader.losses().map(\.reason) == (isLost ? ["not closed"] : []), "\(ending)")

          for _ in 0..<2 {
            let next = try place.open()
            try next.see("villa")
            let losses = try next.losses()
            #expect(losses.map(\.reason) == (isLost ? ["not closed"] : []), "\(ending)")
            #expect(losses.allSatisfy { $0.digests == 0 && $0.occurrences == 0 })
            #expect(try next.diagnose().backgroundProcesses == [])
            try next.close()
          }
        }
      }
    }
  }

  @Test func `a process that is running is not counted`() async {
    await #expect(processExitsWith: .success) {
      let place = try FaultyPlace()
      let running = try open(place.path, .inBackground())
      try running.see("villa")
      running.flush()
      let other = try open(place.path, .inBackground())
      try other.see("villa")
      other.flush()

      #expect(try other.diagnose().backgroundProcesses.count == 2)
      #expect(try other.losses() == [])
      try other.close()
      #expect(try running.diagnose().backgroundProcesses.count == 1)

      running.suspend()
      running.resume()
      #expect(try running.diagnose().backgroundProcesses == [])
      try running.see("villa")
      running.flush()
      #expect(try running.diagnose().backgroundProcesses.count == 1)
      #expect(try running.verify().isSound)
    }
  }

  @Test func `a process that forks while it writes and then closes is not counted`() async {
    await #expect(processExitsWith: .success) {
      for writesAfterwards in [true, false] {
        let place = try FaultyPlace()
        let store = try open(place.path, .inBackground())
        try store.see("villa")
        store.flush()
        let child = forkProcess()
        if child == 0 {
          endIfStuck()
          let isWritten = (try? store.see("yurt")) != nil
          store.flush()
          let isClosed = (try? store.close()) != nil
          _exit(isWritten && isClosed ? 0 : 1)
        }
        var status: Int32 = -1
        #expect(waitpid(child, &status, 0) == child)
        #expect(status == 0)
        #expect(try store.diagnose().backgroundProcesses.count == 1)
        if writesAfterwards {
          try store.see("villa")
          store.flush()
        }
        try store.close()

        let next = try place.open()
        try next.see("villa")
        #expect(try next.diagnose().backgroundProcesses == [])
        #expect(try next.losses() == [])
        #expect(try next.count("yurt") == 1)
      }
    }
  }

  @Test
  func `a process with the id of an ended one counts that one, dated at its own start`()
    throws
  {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make(at: Moment(milliseconds: 0)))
    try temporary.store.close()
    let store = try open(temporary.path, .inBackground())
    try store.append(.make(at: Moment(milliseconds: 0)))
    let since = 1_763_000_000_000
    // As a process had left it that had this one's id.
    try temporary.execute(
      """
      INSERT INTO background_process
      SELECT id + (1 << 30), process, namespace, \(since) FROM background_process
      """)

    try DigestStore(path: temporary.path).append(.make(at: Moment(milliseconds: 0)))

    let hour = Date(timeIntervalSince1970: Double(since / 3_600_000 * 3_600))
    #expect(try store.losses().map(\.hour) == [hour])
    #expect(try store.losses().map(\.reason) == ["not closed"])
    try store.close()
    #expect(try temporary.query("SELECT count(*) FROM background_process") == ["0"])
  }

  @Test func `a file keeps few rows of processes whose end is unknown`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.close()
    try temporary.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO background_process SELECT i, 1, 'elsewhere', i FROM n
      """)

    try DigestStore(path: temporary.path).append(.make())

    #expect(
      try temporary.query("SELECT count(*) || '|' || min(since) FROM background_process")
        == ["100|4901"])
  }

  @Test(arguments: ["pid:[1]", "elsewhere"])
  func `a process of another container is not judged`(_ namespace: String) throws {
    let temporary = try TemporaryStore()
    try temporary.store.close()
    try temporary.execute(
      "INSERT INTO background_process VALUES (1, 2147483647, '\(namespace)', 0)")

    let store = try DigestStore(path: temporary.path)
    try store.append(.make())

    #expect(try store.losses() == [])
    #expect(
      try store.diagnose().backgroundProcesses == [Date(timeIntervalSince1970: 0)])
  }
}

private func open(_ path: String, _ writing: DigestStore.Writing) throws -> DigestStore {
  try DigestStore(path: path, configuration: DigestStore.Configuration(writing: writing))
}

/// Runs a child that writes one digest and ends.
///
private func end(
  _ ending: BackgroundProcessTests.Ending, _ writing: DigestStore.Writing
) throws -> FaultyPlace {
  // The first digest fills the runtime's caches: to fill one takes a lock, to read one takes none.
  try FaultyPlace().open().see("villa")
  let place = try FaultyPlace()
  let child = forkProcess()
  if child == 0 {
    endIfStuck()
    do {
      let store = try open(place.path, writing)
      try store.see("villa")
      store.flush()
      try ending.end(store)
    } catch { _exit(1) }
  }
  var status: Int32 = -1
  #expect(waitpid(child, &status, 0) == child)
  #expect(status & 0x7f == (ending == .exit ? 0 : SIGKILL))
  return place
}
