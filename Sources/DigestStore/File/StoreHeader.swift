/// The first bytes of a database file (SQLite, "Database File Format", section 1.3).
struct StoreHeader {
  private let bytes: [UInt8]

  /// Reads the header even of a file that SQLite refuses to read; nil if the file is shorter.
  ///
  /// Reads through SQLite's own descriptor, because closing another one would release the locks
  /// that this process has on the file (SQLite, "How To Corrupt An SQLite Database File", section
  /// 2.2).
  init?(path: String) {
    // Without access to the file there is no header; opening the store reports the error.
    guard let connection = try? Connection(path: path, mode: .readOnly),
      let bytes = VFSFile.database(of: connection)?.read(100, at: 0)
    else { return nil }
    self.bytes = bytes
  }

  /// Whether this library made the file, according to the header.
  var isOurs: Bool {
    bytes[68..<72].bigEndianInteger == Migrator.applicationID
  }

  /// Whether the header is valid for a database with a write-ahead log.
  ///
  /// SQLite treats unknown values as a read-only file or one from a future version. The schema
  /// format is 0 while the tables of a new file are only in the log.
  var isSound: Bool {
    bytes[18...19].allSatisfy { 1...2 ~= $0 } && Array(bytes[21...23]) == [64, 32, 32]
      && bytes[44..<47].allSatisfy { $0 == 0 } && 0...4 ~= bytes[47]
  }
}
