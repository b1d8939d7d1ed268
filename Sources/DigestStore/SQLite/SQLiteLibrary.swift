import CSQLite

/// The SQLite library that this process uses. Its version may differ from the one at compile time.
struct SQLiteLibrary {
  /// The version as one number: 3040001 is 3.40.1 (SQLite, "sqlite3_libversion_number").
  let number: Int

  /// The library of this process.
  static let current = Self(number: Int(sqlite3_libversion_number()))

  /// The version as SQLite formats it.
  var version: String {
    "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
  }

  /// Whether two connections that write or checkpoint at the same time can, very rarely, damage the
  /// file (SQLite, "Write-Ahead Logging", section "The WAL-Reset Bug").
  var hasWALResetBug: Bool {
    switch number {
    case 3_044_006..<3_045_000, 3_050_007..<3_051_000: false  // The fix was backported to these.
    default: number < 3_051_003
    }
  }
}
