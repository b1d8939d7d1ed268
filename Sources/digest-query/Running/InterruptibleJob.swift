import DigestStore
import ResilientPlatform

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
