import DigestStore
import ResilientPlatform

/// The common part of import and merge: progress, and an interruption that waits for the end of a
/// transaction.
struct InterruptibleJob {
  private let store: String
  private let remedy: String
  private let line: ProgressLine

  /// Makes signals wait from now on.
  ///
  /// - Parameters:
  ///   - work: the name of the work, as in `importing`.
  ///   - store: the path of the store, which may not exist yet.
  ///   - remedy: what to do if only some digests were added.
  init(_ work: String, into store: String, remedy: String) {
    self.store = store
    self.remedy = remedy
    line = ProgressLine(work)
    Interruption.holdBack()
  }

  /// Shows the progress.
  ///
  /// - Throws: a ``Failure`` that says what was added, if a signal waits.
  func show(_ progress: DigestReader.Progress) throws {
    line.show(progress)
    // Once everything is added, the signal is too late.
    let isComplete = progress.unit == .digests && progress.done == progress.total
    guard Interruption.isPending, !isComplete else { return }
    // A new store is deleted again.
    guard progress.unit == .digests, progress.done > 0, access(store, F_OK) == 0 else {
      throw Interruption.failure("nothing was added")
    }
    throw Interruption.failure(
      "\(progress.done) of \(progress.total ?? progress.done) digests were added; \(remedy): those "
        + "with an id are not added twice")
  }

  /// Erases the progress, before other output.
  func end() {
    line.erase()
  }
}
