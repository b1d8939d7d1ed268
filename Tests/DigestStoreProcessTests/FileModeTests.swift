import Foundation
import Testing

@testable import DigestStore
@testable import DigestStoreTests

struct FileModeTests {
  @Test func `only the owner may read the files, whatever the process allows others`() async {
    // The mask belongs to the process, and other tests make files meanwhile.
    await #expect(processExitsWith: .success) {
      for mask in [mode_t(0), 0o022] {
        umask(mask)
        let temporary = try TemporaryStore(holding: .make())
        _ = try temporary.store.prune()
        try temporary.store.append(.make())

        for suffix in ["", "-wal", "-shm"] {
          let attributes = try FileManager.default.attributesOfItem(
            atPath: temporary.path + suffix)
          #expect(attributes[.posixPermissions] as? Int == 0o600, "\(mask) \(suffix)")
        }
      }
    }
  }
}
