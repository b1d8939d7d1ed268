import CLoops
import Foundation

/// Another way to write the errors of a decode.
struct Peer {
  let name: String

  /// Writes the errors of a decode in a transaction.
  let flush: (_ decode: Int) throws -> Void

  static func c(_ path: String, _ decodes: [FailedDecode], isFull: Bool) throws -> Peer {
    let loop = try CLoop(path: path, isFull: isFull, errors: LoopErrors(decodes))
    return Peer(name: "C") { try loop.flush($0, at: now) }
  }

  static func flat(_ path: String, _ decodes: [FailedDecode], isFull: Bool) throws -> Peer {
    let table = try FlatTable(path: path, isFull: isFull, errors: LoopErrors(decodes))
    return Peer(name: "flat") { decode in
      try table.transaction { try table.add(decode, at: now, release: "4.0.0") }
    }
  }

  static func grdb(_ path: String, _ decodes: [FailedDecode], isFull: Bool) throws -> Peer {
    let table = try GRDBTable(path: path, isFull: isFull)
    return Peer(name: "GRDB") { decode in
      try table.write(GRDBTable.Occurrence.all(of: decodes[decode], digest: now))
    }
  }

  /// Milliseconds since 1970.
  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

/// The version of SQLite.
var sqliteVersion: String { String(cString: sqlite_version()) }
