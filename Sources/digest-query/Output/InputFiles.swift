import ResilientPlatform

/// The text files that the run has read.
enum InputFiles {
  private struct Identity: Hashable {
    let device: dev_t
    let inode: ino_t

    /// Nil if there is no such file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode) = (status.st_dev, status.st_ino)
    }
  }

  private static let identities = Locked<Set<Identity>>([])

  static func insert(_ path: String) {
    guard let identity = Identity(path) else { return }
    _ = identities.withLock { $0.insert(identity) }
  }

  /// Whether a file, under this or another name, was read.
  static func contains(_ path: String) -> Bool {
    Identity(path).map { identity in identities.withLock { $0.contains(identity) } } ?? false
  }
}
