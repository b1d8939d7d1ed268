import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore
@testable import DigestStoreTests

/// Other processes that hold the lock of a file and do not let go of it.
///
/// Each test forks the other process, and runs in a process of its own for that: a fork closes the
/// files of all stores of the process, and the child has the locks that other threads hold.
struct LockFaultTests {
  @Test func `a process stopped while it writes does not block others for ever`() async {
    await #expect(processExitsWith: .success) {
      let place = try FaultyPlace()
      let store = try place.open()
      try store.see("villa")
      let holder = try LockHolder(of: place.path)
      #expect(kill(holder.process, SIGSTOP) == 0)

      try store.see("tent", times: 3)
      // Reports do not wait for it.
      #expect(try store.count("villa") == 1)
      #expect(place.failures.all.map(\.error.code) == [.busy, .busy, .busy])
      #expect(place.failures.all.map(\.isKept) == [true, true, true])

      holder.end()
      try store.see("yurt", times: 2)
      store.flush()

      #expect(try store.count("tent") == 3)
      #expect(try store.count("yurt") == 2)
      #expect(try store.losses().isEmpty)
      #expect(try store.verify().isSound)
    }
  }

  @Test func `the lock of a process that is killed is gone`() async {
    await #expect(processExitsWith: .success) {
      let place = try FaultyPlace()
      let store = try place.open()
      try store.see("villa")
      let holder = try LockHolder(of: place.path)
      holder.end()

      try store.see("tent", times: 3)

      #expect(try store.count("tent") == 3)
      #expect(place.failures.all.isEmpty)
    }
  }
}

/// A process that has the lock of a writer, as in the middle of a transaction, until it is killed.
private struct LockHolder {
  let process: pid_t

  /// Keeps the file with the locks there, which goes with the last connection: stores close theirs
  /// for a fork, as the child's is none.
  private let connection: Connection

  /// Returns when the process has the lock.
  init(of path: String) throws {
    connection = try Connection(path: path, mode: .readWrite)
    _ = try connection.integer("SELECT count(*) FROM digest")
    // The byte on which SQLite puts that lock (SQLite, "WAL-mode File Format", section 2.3).
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 120
    lock.l_len = 1
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    process = (path + "-shm").withCString { file in
      // Here, where the child has nothing to do any more but system calls.
      withUnsafeMutablePointer(to: &lock) { lock in
        let child = forkProcess()
        if child == 0 {
          // Whatever becomes of the test.
          alarm(60)
          let isLocked = setLock(openFile(file, O_RDWR), F_SETLKW, lock) == 0
          var answer: UInt8 = isLocked ? 1 : 0
          write(writing, &answer, 1)
          while true { pause() }
        }
        return child
      }
    }
    // A child that ends without an answer closes the last end for writing.
    close(writing)
    defer { close(reading) }
    try #require(process > 0)
    var answer: UInt8 = 0
    guard read(reading, &answer, 1) == 1, answer == 1 else {
      end()
      throw NotLocked()
    }
  }

  private struct NotLocked: Error {}

  /// Kills the process and waits until it is dead.
  func end() {
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }
}

private func openFile(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
  open(path, flags)
}

private func setLock(
  _ descriptor: Int32, _ command: Int32, _ lock: UnsafeMutablePointer<flock>
) -> Int32 {
  fcntl(descriptor, command, lock)
}
