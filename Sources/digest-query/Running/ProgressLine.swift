import DigestStore
import ResilientPlatform

/// The progress of long work, as a line on stderr that is erased when the work is done.
///
/// Does nothing unless stderr is a terminal that can erase a line.
final class ProgressLine: Sendable {
  private struct ProgressState {
    var pace: ProgressPace
    var isDrawn = false
  }

  private let state: Locked<ProgressState>
  private let isShown: Bool

  /// - Parameter work: the name of the work, as in `importing`.
  init(_ work: String) {
    state = Locked(ProgressState(pace: ProgressPace(work: work, now: Self.now)))
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    isShown = isatty(STDERR_FILENO) == 1 && !["", "dumb"].contains(terminal)
  }

  /// Shows the progress, unless it has just been shown.
  func show(_ progress: DigestReader.Progress) {
    guard isShown else { return }
    state.withLock { state in
      guard let text = state.pace.text(progress, now: Self.now) else { return }
      let width = StandardOutput.width(ofTerminal: STDERR_FILENO)
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

/// Decides when to report progress, and computes the rate and the time left.
struct ProgressPace {
  /// The time before the first text, and between two texts, in seconds.
  static let patience = 0.5
  static let interval = 0.1

  private let work: String
  private var last: DigestReader.Progress?

  /// The start of the present phase, and its first count.
  private var beginning: (time: Double, done: Int)
  private var nextTime: Double

  init(work: String, now: Double) {
    self.work = work
    beginning = (now, 0)
    nextTime = now + Self.patience
  }

  /// The text to show; nil if it is too early for one.
  ///
  /// - Parameter now: the time in seconds since any fixed instant.
  mutating func text(_ progress: DigestReader.Progress, now: Double) -> String? {
    let isAnew = last.map { progress.unit != $0.unit || progress.done < $0.done }
    if isAnew ?? (progress.done == 0) { beginning = (now, progress.done) }
    last = progress
    guard now >= nextTime else { return nil }
    nextTime = now + Self.interval
    let work = progress.unit == .bytes ? "reading" : work
    return "\(work): "
      + [amount(progress), rate(progress, now), left(progress, now)]
      .compactMap { $0 }.joined(separator: ", ")
  }

  private func amount(_ progress: DigestReader.Progress) -> String {
    let done = number(progress.done, progress.unit)
    guard let total = progress.total, total > 0 else { return "\(done) \(name(progress.unit))" }
    let share = min(100, progress.done * 100 / total)
    return "\(done) of \(number(total, progress.unit)) \(name(progress.unit)) (\(share) %)"
  }

  private func rate(_ progress: DigestReader.Progress, _ now: Double) -> String? {
    guard let rate = speed(progress, now) else { return nil }
    let unit = progress.unit == .bytes ? " MB" : ""
    return "\(number(Int(rate), progress.unit))\(unit)/s"
  }

  private func left(_ progress: DigestReader.Progress, _ now: Double) -> String? {
    guard let total = progress.total, let rate = speed(progress, now) else { return nil }
    let seconds = (Double(max(0, total - progress.done)) / rate).rounded(.up)
    switch seconds {
    case ..<100: return "\(Int(seconds)) s left"
    case ..<6_000: return "\(Int((seconds / 60).rounded(.up))) min left"
    default: return seconds < 1e9 ? "\(Int((seconds / 3_600).rounded(.up))) h left" : nil
    }
  }

  /// The rate per second; nil if nothing is done yet.
  private func speed(_ progress: DigestReader.Progress, _ now: Double) -> Double? {
    let done = Double(progress.done - beginning.done)
    let seconds = now - beginning.time
    return done > 0 && seconds > 0 ? done / seconds : nil
  }

  private func name(_ unit: DigestReader.Progress.Unit) -> String {
    unit == .bytes ? "MB" : unit.rawValue
  }

  /// The count; bytes as megabytes with one decimal.
  private func number(_ count: Int, _ unit: DigestReader.Progress.Unit) -> String {
    guard unit == .bytes else { return "\(count)" }
    let tenths = count / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
