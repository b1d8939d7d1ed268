import CLoops
import Foundation

/// What writes the errors of an incident in some other way than the store.
struct Peer {
  let name: String

  /// Writes an incident in a transaction of its own.
  let flush: (_ incident: Int) throws -> Void

  static func c(_ path: String, _ incidents: [Incident], isFull: Bool) throws -> Peer {
    let loop = try CLoop(path: path, isFull: isFull, errors: LoopErrors(incidents))
    return Peer(name: "C") { try loop.flush($0, at: now) }
  }

  static func flat(_ path: String, _ incidents: [Incident], isFull: Bool) throws -> Peer {
    let table = try FlatTable(path: path, isFull: isFull, errors: LoopErrors(incidents))
    return Peer(name: "flat") { incident in
      try table.transaction { try table.add(incident, at: now, release: "4.0.0") }
    }
  }

  static func grdb(_ path: String, _ incidents: [Incident], isFull: Bool) throws -> Peer {
    let table = try GRDBTable(path: path, isFull: isFull)
    return Peer(name: "GRDB") { incident in
      try table.write(GRDBTable.Occurrence.all(of: incidents[incident], digest: now))
    }
  }

  /// Milliseconds since 1970.
  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

/// The version of the SQLite that all of this runs on.
var sqliteVersion: String { String(cString: sqlite_version()) }
