import DigestStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What an import and a merge have in common: they show how far they have come, and a signal ends
/// them between two transactions.
struct Transfer {
  private let store: String
  private let remedy: String
  private let line: ProgressLine

  /// Has signals wait from now on.
  ///
  /// - Parameters:
  ///   - work: what is being done, as in `importing`.
  ///   - store: where the store is, or is to be.
  ///   - remedy: what to do when some digests are in and the others are not.
  init(_ work: String, into store: String, remedy: String) {
    self.store = store
    self.remedy = remedy
    line = ProgressLine(work)
    Interruption.holdBack()
  }

  /// Shows how far it has come.
  ///
  /// - Throws: a ``Failure`` that says what is in when a signal waits.
  func show(_ progress: DigestStore.Progress) throws {
    line.show(progress)
    // When all is in, it comes too late.
    let isComplete = progress.unit == .digests && progress.done == progress.total
    guard Interruption.isPending, !isComplete else { return }
    // Of a new store nothing stays.
    guard progress.unit == .digests, progress.done > 0, access(store, F_OK) == 0 else {
      throw Interruption.failure("nothing was added")
    }
    throw Interruption.failure(
      "\(progress.done) of \(progress.total ?? progress.done) digests were added; \(remedy): those "
        + "with an id are not added twice")
  }

  /// Takes the progress away, before anything is said.
  func end() {
    line.erase()
  }
}
