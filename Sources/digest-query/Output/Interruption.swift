import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What is done when Ctrl-C or its like ends a run: it leaves nothing half-done.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Where the name is of the file that goes with the process; 0 without one.
  private static let file = Atomic<UInt>(0)

  /// Has a file deleted when a signal ends the process.
  static func delete(_ path: String) {
    // For as long as the process lives.
    file.store(UInt(bitPattern: strdup(path)), ordering: .sequentiallyConsistent)
    handleSignals()
  }

  private static func handleSignals() {
    for number in signals {
      // Whoever ignores a signal, such as nohup, wants that.
      if let other = signal(number, handler) { signal(number, other) }
    }
  }

  /// Ends the process as the signal would have: a shell stops a loop only then.
  ///
  /// A handler may do little: no memory, no locks, and no variable that is made when it is first
  /// used, so that those here have been used before (POSIX, "Signal Concepts").
  private static let handler: @convention(c) (Int32) -> Void = { number in
    let address = file.load(ordering: .sequentiallyConsistent)
    if let file = UnsafePointer<CChar>(bitPattern: address) { unlink(file) }
    signal(number, SIG_DFL)
    raise(number)
  }
}
