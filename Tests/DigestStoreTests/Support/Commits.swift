import CSQLite

@testable import DigestStore

/// Counts the commits of a connection, and fails one.
final class Commits {
  private let connection: Connection
  private let failing: Int?
  private var changesBefore: Int64
  private(set) var changes: [Int64] = []

  init(_ connection: Connection, failing: Int?) {
    self.connection = connection
    self.failing = failing
    changesBefore = sqlite3_total_changes64(connection.handle)
    sqlite3_commit_hook(
      connection.handle,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Commits>.fromOpaque(context).takeUnretainedValue().commit()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func commit() -> Int32 {
    let total = sqlite3_total_changes64(connection.handle)
    changes.append(total - changesBefore)
    changesBefore = total
    return changes.count == failing ? 1 : 0
  }

  func end() { sqlite3_commit_hook(connection.handle, nil, nil) }
}
