import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What is done when Ctrl-C or its like ends a run: it leaves nothing half-done, and says what is
/// done.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private struct State: ~Copyable {
    /// Where the names are of the files that go with the process, each behind a NUL, and one more NUL;
    /// 0 without any.
    let files = Atomic<UInt>(0)

    /// Where the line is that is said last; 0 without one.
    let note = Atomic<UInt>(0)

    /// Whether there is a line on the terminal that has to go.
    let hasLine = Atomic(false)

    /// Whether a signal waits until the work can be ended, and which one does.
    let isHeldBack = Atomic(false)
    let pending = Atomic<Int32>(0)
  }

  private static let state = State()

  /// Has files, or empty directories, deleted in this order when a signal ends the process.
  static func delete(_ paths: String...) {
    let bytes: [UInt8] = paths.flatMap { Array($0.utf8) + [0 as UInt8] } + [0]
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = buffer.initialize(from: bytes)
    // For as long as the process lives, as below.
    state.files.store(UInt(bitPattern: buffer.baseAddress), ordering: .sequentiallyConsistent)
    handleSignals()
  }

  /// Has something said when a signal ends the process.
  static func say(_ message: String) {
    store(Note.line(ofError: text(message)), in: state.note)
    handleSignals()
  }

  /// Has a line of progress erased when a signal ends the process.
  static func erasesLine(_ erases: Bool) {
    state.hasLine.store(erases, ordering: .sequentiallyConsistent)
    if erases { handleSignals() }
  }

  /// Has a signal wait until the work can be ended; a second one does not wait.
  ///
  /// Who waits for input is woken by it, and every second after that in case that it comes just
  /// before the wait.
  static func holdBack() {
    state.isHeldBack.store(true, ordering: .sequentiallyConsistent)
    handle(SIGALRM) { _ in alarm(1) }
    handleSignals()
  }

  /// Whether a signal waits.
  static var isPending: Bool { state.pending.load(ordering: .sequentiallyConsistent) != 0 }

  /// How a run ends that a signal has ended where it can be ended.
  static func failure(_ message: String) -> Failure {
    let number = state.pending.load(ordering: .sequentiallyConsistent)
    return Failure(status: 128 + number, text(message))
  }

  private static func text(_ message: String) -> String { "interrupted; \(message)" }

  /// Ends the process by the signal that has waited, if one has: a shell stops a loop only then.
  static func end() {
    let number = state.pending.load(ordering: .sequentiallyConsistent)
    guard number != 0 else { return }
    signal(number, SIG_DFL)
    raise(number)
  }

  /// For as long as the process lives: a handler may be reading what was there before.
  private static func store(_ text: String, in address: borrowing Atomic<UInt>) {
    address.store(UInt(bitPattern: strdup(text)), ordering: .sequentiallyConsistent)
  }

  private static func handleSignals() {
    for number in signals { handle(number, by: handler) }
  }

  private static func handle(_ number: Int32, by handler: @convention(c) (Int32) -> Void) {
    // A signal that was ignored at the start, as by nohup, stays ignored.
    if let other = signal(number, handler) { signal(number, other) }
    // Who waits for input is to come back, and not to wait on.
    var action = sigaction()
    sigaction(number, nil, &action)
    action.sa_flags &= ~SA_RESTART
    sigaction(number, &action, nil)
  }

  /// A handler may do little: no memory, no locks, and no variable that is made when it is first
  /// used, so that the state has been used before (POSIX, "Signal Concepts").
  private static let handler: @convention(c) (Int32) -> Void = { number in
    if state.isHeldBack.load(ordering: .sequentiallyConsistent),
      state.pending.exchange(number, ordering: .sequentiallyConsistent) == 0
    {
      alarm(1)
      return
    }
    var file = UnsafePointer<CChar>(bitPattern: state.files.load(ordering: .sequentiallyConsistent))
    while let path = file, path.pointee != 0 {
      if unlink(path) != 0 { rmdir(path) }
      file = path + strlen(path) + 1
    }
    if state.hasLine.load(ordering: .sequentiallyConsistent) {
      let erasure = ProgressLine.erasure
      _ = write(STDERR_FILENO, erasure.utf8Start, erasure.utf8CodeUnitCount)
    }
    let note = UnsafePointer<CChar>(bitPattern: state.note.load(ordering: .sequentiallyConsistent))
    if let note { _ = write(STDERR_FILENO, note, strlen(note)) }
    signal(number, SIG_DFL)
    raise(number)
  }
}
