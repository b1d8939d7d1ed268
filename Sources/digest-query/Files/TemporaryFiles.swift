import ResilientPlatform

/// The files that must not outlive the process when a signal ends it.
///
/// A signal handler can reach nothing but globals.
enum TemporaryFiles {
  /// The address of the paths, each followed by a NUL, and of one more NUL; 0 without any.
  private static let paths = AtomicInteger(0)

  private static let registered = Locked<[String]>([])

  /// Registers more files, and directories that are empty by then, to be deleted in this order.
  static func deleteOnSignal(_ paths: [String]) {
    registered.withLock { registered in
      registered += paths
      let bytes: [UInt8] = registered.flatMap { Array($0.utf8) + [0 as UInt8] } + [0]
      // Never freed: a handler may be reading it.
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = buffer.initialize(from: bytes)
      Self.paths.store(Int(bitPattern: buffer.baseAddress))
    }
  }

  /// Deletes them. A signal handler may call this once it has been called outside of one.
  static func deleteAll() {
    var next = UnsafePointer<CChar>(bitPattern: paths.load())
    while let path = next, path.pointee != 0 {
      if unlink(path) != 0 { rmdir(path) }
      next = path + strlen(path) + 1
    }
  }
}
