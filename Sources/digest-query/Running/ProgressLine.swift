import DigestStore
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How far long work has come, as a line on stderr that is gone when the work is done.
///
/// Only on a terminal that can erase a line; otherwise it does nothing.
final class ProgressLine: Sendable {
  private struct State {
    var pace: ProgressPace
    var isDrawn = false
  }

  private let state: Mutex<State>
  private let isShown: Bool

  /// - Parameter work: what is being done, as in `importing`.
  init(_ work: String) {
    state = Mutex(State(pace: ProgressPace(work: work, now: Self.now)))
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    isShown = isatty(STDERR_FILENO) == 1 && !["", "dumb"].contains(terminal)
  }

  /// Shows how far it has come, unless that has just been shown.
  func show(_ progress: DigestStore.Progress) {
    guard isShown else { return }
    state.withLock { state in
      guard let text = state.pace.text(progress, now: Self.now) else { return }
      let width = TerminalSize(ofTerminal: STDERR_FILENO).columns
      state.isDrawn = true
      Interruption.erasesProgress(true)
      write("\(Interruption.lineErasure)\(text.cut(to: width - 1, at: .end))")
    }
  }

  /// Takes the line away, before anything else is said.
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
    // There is no one left to tell when this fails.
    text.withUTF8 { _ = systemWrite(STDERR_FILENO, UnsafeRawBufferPointer($0)) }
  }

  /// In seconds, on a clock that does not jump.
  private static var now: Double {
    let components = (ContinuousClock.now - origin).components
    return Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  private static let origin = ContinuousClock.now
}
