import CLoops

/// A row for each error in one table, in C.
///
/// Only one thread at a time may use it.
final class FlatTable {
  private let table: OpaquePointer
  private let errors: LoopErrors
  private var digest: Int64 = 0

  init(path: String, isFull: Bool = false, errors: LoopErrors) throws {
    guard let table = flat_table_open(path, isFull ? 1 : 0) else {
      throw BenchmarkError("The flat table cannot be created")
    }
    self.table = table
    self.errors = errors
  }

  deinit {
    flat_table_close(table)
  }

  /// Runs a transaction.
  func transaction(_ body: () throws -> Void) throws {
    try check(flat_table_begin(table))
    try body()
    try check(flat_table_commit(table))
  }

  /// Adds the errors of a decode. Runs in a transaction of the caller.
  func add(_ decode: Int, at moment: Int64, release: String) throws {
    digest += 1
    let code = errors.with(decode) { errors, count, _ in
      flat_table_add(table, digest, moment, release, errors, count)
    }
    try check(code ?? -1)
  }

  private func check(_ code: Int32) throws {
    guard code == 0 else { throw BenchmarkError("The flat table failed with \(code)") }
  }
}
