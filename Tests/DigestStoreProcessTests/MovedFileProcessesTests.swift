import Foundation
import Testing

@testable import DigestStore
@testable import DigestStoreTests

/// A file that is moved while several processes have it open.
///
/// Each test runs in a process of its own, which forks the others.
// ThreadSanitizer does not follow a process with threads into its child.
@Suite(.enabled(if: dlsym(nil, "__tsan_init") == nil))
struct MovedFileProcessesTests {
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
