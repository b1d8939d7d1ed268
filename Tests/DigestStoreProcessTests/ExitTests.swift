import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore
@testable import DigestStoreTests

/// A process that ends without closing its store.
///
/// Each test forks, in a process of its own (see ``ForkTests``), and the child exits.
// ThreadSanitizer does not follow a process with threads into its child.
@Suite(.enabled(if: dlsym(nil, "__tsan_init") == nil))
struct ExitTests {
  @Test func `a process that exits writes what waits in the background`() async {
    await #expect(processExitsWith: .success) {
      try expectExit(7, seen: 10) { path in
        let store = try open(path, .inBackground())
        // Nothing is written before the process exits.
        takeTurn(of: store)
        atexit { release.signal() }
        try store.see("villa", times: 10)
        exit(7)
      }
    }
  }

  @Test func `a process that exits writes the digests of a released store`() async {
    await #expect(processExitsWith: .success) {
      try expectExit(0, seen: 500) { path in
        try { try open(path, .inBackground()).see("villa", times: 500) }()
        exit(0)
      }
    }
  }

  @Test func `a process that exits writes the digests of a suspended store`() async {
    await #expect(processExitsWith: .success) {
      try expectExit(0, seen: 10) { path in
        let store = try open(path, .beforeReturning)
        store.suspend()
        try store.see("villa", times: 10)
        exit(0)
      }
    }
  }

  @Test func `a process that exits in the progress of a push ends`() async {
    await #expect(processExitsWith: .success) {
      // A push adds totals in a transaction of their own.
      try expectExit(3, seen: 0, 1_500) { path in
        let other = path + ".other"
        try open(other, .beforeReturning).see("villa", times: 1_500)
        _ = try DigestStore.push(storesAt: [other], to: path) { progress in
          if progress.unit == .rows { exit(3) }
        }
      }
    }
  }

  @Test func `a process that exits in a closure of the configuration ends`() async {
    await #expect(processExitsWith: .success) {
      try expectExit(4, seen: 10) { path in
        let configuration = DigestStore.Configuration(
          writing: .inBackground(),
          redact: { entry in
            if entry.novelValue?.text == "tent" { exit(4) }
            return entry
          })
        let store = try DigestStore(path: path, configuration: configuration)
        try store.see("villa", times: 10)
        try store.see("tent")
      }
    }
  }

  @Test func `a process that exits while a thread never ends its turn ends`() async {
    await #expect(processExitsWith: .success) {
      try expectExit(5, seen: 0) { path in
        let store = try open(path, .inBackground())
        takeTurn(of: store)
        try store.see("villa")
        exit(5)
      }
    }
  }
}

private let release = DispatchSemaphore(value: 0)

/// Lets a thread have the turn to write until ``release`` is signaled.
private func takeTurn(of store: DigestStore) {
  let started = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    store.queue.withVisit {
      started.signal()
      release.wait()
    }
  }
  started.wait()
}

private func open(_ path: String, _ writing: DigestStore.Writing) throws -> DigestStore {
  try DigestStore(path: path, configuration: DigestStore.Configuration(writing: writing))
}

/// Runs a child, which ends itself, and expects its status and what it has left in its store.
private func expectExit(
  _ expected: Int32, seen counts: Int..., sourceLocation: SourceLocation = #_sourceLocation,
  of body: (_ path: String) throws -> Void
) throws {
  // The first digest fills the runtime's caches: to fill one takes a lock, to read one takes none.
  try FaultyPlace().open().see("villa")
  let place = try FaultyPlace()
  let child = forkProcess()
  if child == 0 {
    endIfStuck()
    do { try body(place.path) } catch {}
    _exit(1)
  }
  var status: Int32 = -1
  #expect(waitpid(child, &status, 0) == child, sourceLocation: sourceLocation)
  #expect(status & 0x7f == 0, sourceLocation: sourceLocation)
  #expect(status >> 8 & 0xff == expected, sourceLocation: sourceLocation)
  let seen = try DigestReader(path: place.path).count("villa")
  #expect(counts.contains(seen), sourceLocation: sourceLocation)
}
