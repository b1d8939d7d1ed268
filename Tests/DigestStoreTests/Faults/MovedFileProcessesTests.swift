import Foundation
import Testing

@testable import DigestStore

/// A file that is moved while several processes have it open.
///
/// Each test runs in a process of its own, which forks the others.
// ThreadSanitizer does not follow a process with threads into its child.
@Suite(.enabled(if: dlsym(nil, "__tsan_init") == nil))
struct MovedFileProcessesTests {
  @Test func `a file that is put back has every digest that was in it`() async {
    await #expect(processExitsWith: .success) {
      // The log of the file in between is not copied into it, is, or may be just then.
      for (tents, isCopied) in [(1, false), (1, true), (2_500, false)] {
        for next in 0..<4 {
          let place = try FaultyPlace()
          let aside = place.path + ".moved"
          let active = try OtherProcess(path: place.path)
          let idle = try OtherProcess(path: place.path)
          let new = try OtherProcess(path: place.path)
          try active.see("villa", times: 50)
          try idle.see("villa", times: 50)

          try #require(rename(place.path, aside) == 0)
          try active.see("tent", times: tents)
          if isCopied { try active.checkpoint() }
          try #require(rename(aside, place.path) == 0)
          // The one that noticed, the one that was idle, one that is started now, or one that is
          // started after the one that noticed was killed.
          if next == 3 { active.kill() }
          let first = [active, idle, new, new][next]
          try first.see("villa", times: 10)
          if next != 3 { try active.see("villa", times: 10) }
          try idle.see("villa", times: 10)
          try new.see("villa", times: 10)

          let reader = try DigestReader(path: place.path)
          let counts = try ["villa", "tent"].map { "\($0) \(try reader.count($0))" }
          let comment = Comment(
            rawValue: "\(tents) tents, copied: \(isCopied), \(next) first: \(counts), "
              + "\(try reader.losses().map(\.reason))")
          let villas = next == 3 ? 130 : 140
          #expect(try DigestReader(path: place.path).count("villa") == villas, comment)
          for process in [active, idle, new].dropFirst(next == 3 ? 1 : 0) { try process.close() }
          let store = try DigestStore(path: place.path)
          #expect(try store.verify().isSound, comment)
          #expect(try store.count("villa") == villas, comment)
          #expect(try store.count("tent") == 0, comment)
          #expect(try place.broken().isEmpty, comment)
        }
      }
    }
  }

  @Test func `a file that is put back during a report has every digest that was in it`() async {
    await #expect(processExitsWith: .success) {
      for isCopied in [false, true] {
        for endsFirst in [false, true] {
          let place = try FaultyPlace()
          let aside = place.path + ".moved"
          let active = try OtherProcess(path: place.path)
          let reporting = try OtherProcess(path: place.path)
          try active.see("villa", times: 30)
          try reporting.see("villa", times: 30)
          if isCopied { try active.checkpoint() }
          try reporting.beginReport()
          try active.see("villa", times: 30)

          try #require(rename(place.path, aside) == 0)
          try active.see("tent", times: 5)
          try #require(rename(aside, place.path) == 0)
          if endsFirst { try reporting.endReport() }
          try active.see("villa", times: 10)
          if !endsFirst { try reporting.endReport() }
          try reporting.see("villa", times: 10)

          for process in [active, reporting] { try process.close() }
          let comment = Comment(rawValue: "copied: \(isCopied), ends first: \(endsFirst)")
          let store = try DigestStore(path: place.path)
          #expect(try store.verify().isSound, comment)
          #expect(try store.count("villa") == 110, comment)
          #expect(try store.count("tent") == 0, comment)
          #expect(try place.broken().isEmpty, comment)
        }
      }
    }
  }

  @Test func `a log that is deleted alone takes nothing with it`() async {
    await #expect(processExitsWith: .success) {
      let place = try FaultyPlace()
      let first = try OtherProcess(path: place.path)
      let second = try OtherProcess(path: place.path)
      try first.see("villa", times: 20)
      try second.see("villa", times: 20)

      for companion in ["-wal", "-shm"] {
        try FileManager.default.removeItem(atPath: place.path + companion)
      }
      try second.see("villa")
      try first.see("villa")

      let store = try DigestStore(path: place.path)
      #expect(try store.verify().isSound)
      #expect(try store.count("villa") == 42)
      #expect(try place.broken().isEmpty)
    }
  }

  @Test func `a store with a relative path stays where it is`()
    async
  {
    await #expect(processExitsWith: .success) {
      let place = try FaultyPlace()
      try #require(chdir(place.folder.url.path) == 0)
      let store = try DigestStore(path: "digests.sqlite")
      let reader = try DigestReader(path: "digests.sqlite")
      try store.see("villa")

      try #require(chdir("/") == 0)
      try store.see("villa", times: 10)

      #expect(try store.count("villa") == 11)
      #expect(try reader.count("villa") == 11)
      #expect(try store.losses().isEmpty)
      try reader.close()
      try store.close()
      #expect(try place.names() == ["digests.sqlite"])
    }
  }

  @Test func `processes that open a damaged file together set it aside once`()
    async
  {
    await #expect(processExitsWith: .success) {
      for _ in 0..<20 {
        let place = try FaultyPlace()
        let processes = try (0..<4).map { _ in try OtherProcess(path: place.path) }
        try place.makeStore()
        try place.overwrite(Data(repeating: 0, count: 3_900), at: 100)

        try OtherProcess.see("tent", times: 20, in: processes)

        let store = try DigestStore(path: place.path)
        #expect(try store.count("tent") == 80)
        #expect(try store.verify().isSound)
        #expect(try place.broken().count == 1)
        #expect(try store.losses().map(\.reason) == ["quarantined"])
        for process in processes { process.kill() }
      }
    }
  }
}
