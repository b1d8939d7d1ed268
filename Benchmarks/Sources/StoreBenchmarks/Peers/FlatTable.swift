import CLoops

/// A row for each error in one table, in C.
///
/// One thread uses it at a time.
final class FlatTable {
  private let table: OpaquePointer
  private let errors: LoopErrors
  private var digest: Int64 = 0

  init(path: String, isFull: Bool = false, errors: LoopErrors) throws {
    guard let table = flat_table_open(path, isFull ? 1 : 0) else {
      throw Broken("The flat table cannot be made")
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

  /// Adds the errors of an incident, in a transaction of the caller's.
  func add(_ incident: Int, at moment: Int64, release: String) throws {
    digest += 1
    let code = errors.with(incident) { errors, count, _ in
      flat_table_add(table, digest, moment, release, errors, count)
    }
    try check(code ?? -1)
  }

  private func check(_ code: Int32) throws {
    guard code == 0 else { throw Broken("The flat table has failed with \(code)") }
  }
}
