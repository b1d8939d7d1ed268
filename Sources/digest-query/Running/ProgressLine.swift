import DigestStore
import ResilientPlatform

/// The progress of long work, as a line on stderr that is erased when the work is done.
///
/// Does nothing unless stderr is a terminal that can erase a line.
final class ProgressLine: Sendable {
  private struct State {
    var pace: ProgressPace
    var isDrawn = false
  }

  private let state: Locked<State>
  private let isShown: Bool

  /// - Parameter work: the name of the work, as in `importing`.
  init(_ work: String) {
    state = Locked(State(pace: ProgressPace(work: work, now: Self.now)))
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    isShown = isatty(STDERR_FILENO) == 1 && !["", "dumb"].contains(terminal)
  }

  /// Shows the progress, unless it has just been shown.
  func show(_ progress: DigestReader.Progress) {
    guard isShown else { return }
    state.withLock { state in
      guard let text = state.pace.text(progress, now: Self.now) else { return }
      let width = TerminalSize(ofTerminal: STDERR_FILENO).columns
      state.isDrawn = true
      Interruption.erasesProgress(true)
      write("\(Interruption.lineErasure)\(text.cut(to: width - 1, at: .end))")
    }
  }

  /// Erases the line, before other output.
  func erase() {
    state.withLock { state in
      guard state.isDrawn else { return }
      state.isDrawn = false
      write("\(Interruption.lineErasure)")
      Interruption.erasesProgress(false)
    }
  }

  private func write(_ text: String) {
    var text = text
    // Nothing can report that this fails.
    text.withUTF8 { _ = systemWrite(STDERR_FILENO, UnsafeRawBufferPointer($0)) }
  }

  /// The time in seconds on a monotonic clock.
  private static var now: Double {
    let components = (ContinuousClock.now - origin).components
    return Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  private static let origin = ContinuousClock.now
}
