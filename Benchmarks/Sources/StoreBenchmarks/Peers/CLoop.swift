import CLoops

/// The statements of the store in a loop of C: what any store of this kind costs at least.
///
/// One thread uses it at a time.
final class CLoop {
  private let loop: OpaquePointer
  private let errors: LoopErrors

  init(path: String, isFull: Bool = false, errors: LoopErrors) throws {
    guard let loop = digest_loop_open(path, isFull ? 1 : 0) else {
      throw Broken("The C loop cannot make its file")
    }
    self.loop = loop
    self.errors = errors
  }

  deinit {
    digest_loop_close(loop)
  }

  /// Appends an incident, and folds now and then.
  func flush(_ incident: Int, at moment: Int64) throws {
    let code = errors.with(incident) { digest_loop_flush(loop, moment, $2, 1, $0, $1) }
    guard code == 0 else { throw Broken("The C loop has failed with \(code ?? -1)") }
  }
}
