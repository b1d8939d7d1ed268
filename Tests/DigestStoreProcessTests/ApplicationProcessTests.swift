#if os(Linux)
  import Foundation
  import ResilientPlatform
  import Testing

  @testable import DigestStore
  @testable import DigestStoreTests

  struct ApplicationProcessTests {
    @Test func `the store of an app is in a directory that only its owner may read`() async {
      // The environment belongs to the process.
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryFolder()
        setenv("XDG_STATE_HOME", folder.url.appending(path: "state").path, 1)
        let url = try DigestStore.applicationURL(named: "feed")
        let directory = url.deletingLastPathComponent()
        #expect(directory.deletingLastPathComponent().path == folder.url.path + "/state")
        #expect(!FileManager.default.fileExists(atPath: directory.path))

        for count in 1...2 {
          let store = try DigestStore.application(named: "feed")
          try store.see("villa")
          try store.close()
          #expect(try DigestReader(path: url.path).count("villa") == count)
        }

        let mode = try FileManager.default.attributesOfItem(atPath: directory.path)
        #expect(mode[.posixPermissions] as? Int == 0o700)
      }
    }

    @Test func `a directory that cannot be created is an error of one line`() async {
      await #expect(processExitsWith: .success) {
        setenv("XDG_STATE_HOME", "/sys/kernel", 1)
        let error = #expect(throws: DigestStoreError.self) { try DigestStore.application() }
        #expect(error?.code == .readOnly)
        #expect(error?.description.contains("the directory cannot be created") == true)
        #expect(error?.description.contains("\n") == false)
      }
    }
  }
#endif
