import CSQLite

/// The SQLite that this process runs with, which need not be the one that it was compiled with.
struct SQLiteLibrary {
  /// Its version as one number: 3040001 is 3.40.1 (SQLite, "sqlite3_libversion_number").
  let number: Int

  /// The one of this process.
  static let current = Self(number: Int(sqlite3_libversion_number()))

  /// Its version as SQLite writes it.
  var version: String {
    "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
  }

  /// Whether two connections that write or checkpoint at the same instant can damage the file, once
  /// in a great while (SQLite, "Write-Ahead Logging", section "The WAL-Reset Bug").
  var hasWALResetBug: Bool {
    switch number {
    case 3_044_006..<3_045_000, 3_050_007..<3_051_000: false  // The mend was carried back to these.
    default: number < 3_051_003
    }
  }
}
