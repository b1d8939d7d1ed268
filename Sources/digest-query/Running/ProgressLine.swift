import DigestStore
import ResilientPlatform

/// The progress of long work, as a line on stderr that is erased when the work is done.
///
/// Does nothing unless stderr is a terminal that can erase a line.
final class ProgressLine: Sendable {
  /// The time before the first text, and between two texts.
  private static let patience = Duration.seconds(0.5)
  private static let interval = Duration.seconds(0.1)

  private struct ProgressState {
    var next = ContinuousClock.now + ProgressLine.patience
    var isDrawn = false
  }

  private let work: String
  private let state = Locked(ProgressState())
  private let isShown: Bool

  /// - Parameter work: the name of the work, as in `importing`.
  init(_ work: String) {
    self.work = work
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    isShown = isatty(STDERR_FILENO) == 1 && !["", "dumb"].contains(terminal)
  }

  /// Shows the progress, unless it has just been shown.
  func show(_ progress: DigestReader.Progress) {
    guard isShown else { return }
    state.withLock { state in
      guard ContinuousClock.now >= state.next else { return }
      state.next = ContinuousClock.now + Self.interval
      let width = StandardOutput.width(ofTerminal: STDERR_FILENO)
      state.isDrawn = true
      Interruption.erasesProgress(true)
      let text = progress.text(of: work).cut(to: width - 1, at: .end)
      write("\(Interruption.lineErasure)\(text)")
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
    text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }
}

extension DigestReader.Progress {
  /// The line, as in `importing: 500 of 1000 digests (50 %)`. A file is read before its digests are
  /// added, and its bytes are counted meanwhile.
  func text(of work: String) -> String {
    let isOfBytes = unit == .bytes
    func number(_ count: Int) -> String {
      isOfBytes ? "\(count / 1_000_000).\(count / 100_000 % 10)" : "\(count)"
    }
    let name = isOfBytes ? "MB" : unit.rawValue
    let work = isOfBytes ? "reading" : work
    guard let total, total > 0 else { return "\(work): \(number(done)) \(name)" }
    let share = min(100, done * 100 / total)
    return "\(work): \(number(done)) of \(number(total)) \(name) (\(share) %)"
  }
}
