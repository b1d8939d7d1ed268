import CLoops
import DigestStore

/// The statements of a flush in a C loop: a lower bound for the cost of such a store. It counts
/// nothing.
///
/// Only one thread at a time may use it.
final class CLoop {
  private let loop: OpaquePointer
  private let errors: LoopErrors

  /// Opens a store, or creates it.
  init(path: String, isFull: Bool = false, errors: LoopErrors) throws {
    try DigestStore(path: path).close()
    guard let loop = digest_loop_open(path, isFull ? 1 : 0) else {
      throw BenchmarkError("The C loop cannot open its file")
    }
    self.loop = loop
    self.errors = errors
  }

  deinit {
    digest_loop_close(loop)
  }

  /// Writes the errors of a decode.
  func flush(_ decode: Int, at moment: Int64) throws {
    let code = errors.with(decode) { digest_loop_flush(loop, moment, $2, 1, $0, $1) }
    guard code == 0 else { throw BenchmarkError("The C loop failed with \(code ?? -1)") }
  }
}
