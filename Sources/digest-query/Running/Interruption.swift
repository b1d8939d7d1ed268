import DigestStore
import ResilientPlatform

/// Deletes temporary files when Ctrl-C or a similar signal ends a run, and reports on stderr what
/// is already done.
///
/// The state is global because a signal handler can reach nothing else.
enum Interruption {
  /// Erases the line on which the cursor is (ECMA-48, "EL").
  static var lineErasure: StaticString { "\r\u{1B}[K" }

  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private struct SignalState: Sendable {
    /// The address of the line to write last; 0 without one.
    let note = AtomicInteger(0)

    /// Whether the terminal shows a progress line to erase.
    let hasProgress = AtomicInteger(0)

    /// Whether a signal waits until the work can end, and which signal waits.
    let isHeldBack = AtomicInteger(0)
    let pending = AtomicInteger(0)
  }

  private static let state = SignalState()

  /// Installs the signal handlers.
  static func begin() {
    // Initializes the globals that the handlers read.
    _ = isPending
    TemporaryFiles.deleteAll()
    for number in signals { handle(number, by: handler) }
  }

  /// Writes a note when a signal ends the process.
  static func say(_ message: String) {
    // Never freed: a handler may be reading it.
    let line = strdup(Note.line(ofError: text(message)))
    state.note.store(Int(bitPattern: line))
  }

  /// Erases the progress line when a signal ends the process.
  static func erasesProgress(_ erases: Bool) {
    state.hasProgress.store(erases ? 1 : 0)
  }

  /// Makes a signal wait until the work can end, but for a second at most. A second signal does not
  /// wait.
  ///
  /// The signal interrupts a read that waits for input. The alarm after a second ends a statement
  /// that takes longer, and a read that began just after the signal: SQLite rolls back what is not
  /// committed.
  static func holdBack() {
    state.isHeldBack.store(1)
    handle(SIGALRM) { _ in Interruption.handler(Int32(Interruption.state.pending.load())) }
  }

  /// Whether a signal waits.
  static var isPending: Bool { state.pending.load() != 0 }

  /// The end of a run in which a signal waited.
  static func failure(_ message: String) -> ExitFailure {
    let number = Int32(state.pending.load())
    return ExitFailure(status: 128 + number, text(message))
  }

  private static func text(_ message: String) -> String { "interrupted; \(message)" }

  /// Ends the process by the signal that waits, if one does. Only then does a shell end a loop too.
  static func end() {
    let number = Int32(state.pending.load())
    guard number != 0 else { return }
    signal(number, SIG_DFL)
    raise(number)
  }

  private static func handle(_ number: Int32, by handler: @convention(c) (Int32) -> Void) {
    // A signal that is ignored at the start, as by nohup, stays ignored.
    if let other = signal(number, handler) { signal(number, other) }
    // A read that waits for input returns instead of waiting again.
    var action = sigaction()
    sigaction(number, nil, &action)
    action.sa_flags &= ~SA_RESTART
    sigaction(number, &action, nil)
  }

  /// Allocates nothing and takes no locks (POSIX, "Signal Concepts").
  private static let handler: @convention(c) (Int32) -> Void = { number in
    if state.isHeldBack.load() != 0, state.pending.exchange(Int(number)) == 0 {
      alarm(1)
      return
    }
    TemporaryFiles.deleteAll()
    if state.hasProgress.load() != 0 {
      let erasure = lineErasure
      _ = write(STDERR_FILENO, erasure.utf8Start, erasure.utf8CodeUnitCount)
    }
    let note = UnsafePointer<CChar>(bitPattern: state.note.load())
    if let note { _ = write(STDERR_FILENO, note, strlen(note)) }
    signal(number, SIG_DFL)
    raise(number)
  }
}

/// The common part of import and push: progress, and an interruption that waits for the end of a
/// transaction, but for a second at most.
final class InterruptibleJob {
  private let partialResult: (DigestReader.Progress) -> String
  private let line: ProgressLine

  /// What is in the store if the work ends now.
  private var result = "nothing was added"

  /// Makes signals wait from now on.
  ///
  /// - Parameters:
  ///   - work: the name of the work, as in `importing`.
  ///   - partialResult: says what was done, and what to do, if some digests were added.
  init(_ work: String, partialResult: @escaping (DigestReader.Progress) -> String) {
    self.partialResult = partialResult
    line = ProgressLine(work)
    Interruption.say(result)
    Interruption.holdBack()
  }

  /// Shows the progress.
  ///
  /// - Throws: an ``ExitFailure`` that says what was added, if a signal waits.
  func show(_ progress: DigestReader.Progress) throws {
    line.show(progress)
    if progress.unit != .bytes, progress.done > 0 {
      result = partialResult(progress)
      Interruption.say(result)
    }
    // Once everything is added, the signal is too late.
    let isComplete = progress.unit == .digests && progress.done == progress.total
    guard Interruption.isPending, !isComplete else { return }
    throw Interruption.failure(result)
  }

  /// Erases the progress, before other output.
  func end() {
    line.erase()
  }
}
