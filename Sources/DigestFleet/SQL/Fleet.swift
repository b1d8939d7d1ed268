package import DigestStore
package import ResilientPlatform

/// A fleet on a server.
package final class Fleet: EngineConnections {
  private let engine: Locked<any FleetEngine>

  /// The URL without its password and parameters, for messages.
  package let name: String

  init(_ engine: any FleetEngine) {
    name = engine.name
    self.engine = Locked(engine)
  }

  /// Makes the tables, unless they are there, and grants roles what they need.
  ///
  /// - Parameters:
  ///   - readers: the names of roles that may read everything.
  ///   - writers: the names of roles that may push.
  package func makeTables(readers: [String], writers: [String]) throws {
    try engine.withLock { try $0.makeTables(readers: readers, writers: writers) }
  }

  /// Pushes stores.
  ///
  /// - Parameter name: their name in the fleet; empty for the one that each has there.
  package func push(
    storesAt stores: [String], name: String = "",
    progress: ((DigestReader.Progress) throws -> Void)?
  ) throws -> [DigestStore.PushSummary] {
    try withTables { engine in
      try DigestStore.push(
        storesAt: stores, to: engine, name: name, progress: progress, in: engine.changingCounts)
    }
  }

  /// Removes the digests and counts of a source.
  ///
  /// - Returns: the number of errors that were counted.
  package func forget(source name: String) throws -> Int {
    try withTables { engine in
      try engine.changingCounts { try engine.forget(source: name) }
    }
  }

  /// Deletes the digests that are older than a time. They stay counted.
  ///
  /// - Returns: the number of digests deleted.
  package func prune(before time: Date) throws -> Int {
    try withTables { engine in
      try engine.changingCounts { try engine.prune(before: time.milliseconds) }
    }
  }

  /// Opens the fleet for reports.
  package func reader() throws -> DigestReader {
    try withTables { _ in }
    return DigestReader(path: name, self)
  }

  /// Runs `body` if the server has the tables that this build knows.
  private func withTables<Value: Sendable>(
    _ body: (any FleetEngine) throws -> Value
  ) throws -> Value {
    try engine.withLock { engine in
      try DigestStoreError.check(engine.version(), type(of: engine).tableVersion, of: name)
      return try body(engine)
    }
  }
}

extension Fleet {
  package func read<Value: Sendable>(
    _ body: @Sendable (any Engine) throws -> Value
  ) throws -> Value {
    try engine.withLock { try body($0) }
  }

  package func endMoment() { engine.withLock { $0.rollBack() } }

  package func suspend() {}
  package func resume() {}
  package func close() {}
}

/// A connection to a server that can have a fleet.
protocol FleetEngine: Engine, PushReceiver, Sendable {
  /// The version of the tables that this build reads and writes.
  static var tableVersion: Int64 { get }

  /// The URL without its password and parameters, for messages.
  var name: String { get }

  /// The version of the tables on the server; nil if there are none.
  func version() throws -> Int64?

  /// See ``Fleet/makeTables(readers:writers:)``.
  func makeTables(readers: [String], writers: [String]) throws

  /// Runs a push or another change of the counts.
  func changingCounts<Value>(_ body: () throws -> Value) throws -> Value

  /// See ``Fleet/forget(source:)``.
  func forget(source name: String) throws -> Int

  /// Deletes the digests that were recorded before a time, in milliseconds since 1970.
  func prune(before time: Int64) throws -> Int
}

extension DigestStoreError {
  static func noFleet(_ name: String) -> Self {
    Self(
      .noSuchStore, "\(name) has no tables of a fleet; make them with digest-query fleet init URL")
  }

  /// Checks the version of a fleet's tables.
  ///
  /// - Parameters:
  ///   - version: the version on the server; nil without tables.
  ///   - known: the version that this build reads and writes.
  ///   - name: the server, as messages show it.
  static func check(_ version: Int64?, _ known: Int64, of name: String) throws {
    guard let version else { throw noFleet(name) }
    guard version == known else {
      throw Self(
        .newerStore,
        "\(name) has tables of version \(version), and this version knows \(known): "
          + (version > known
            ? "use a newer version" : "make new tables with fleet init, and push the stores again")
      )
    }
  }
}

extension Substring {
  /// Whether the host is on this machine: an empty one, a socket of libpq, or a loopback address.
  var isHostHere: Bool {
    if ["", "localhost"].contains(self) || ["/", "@"].contains(first) { return true }
    var v4 = in_addr()
    if inet_pton(AF_INET, String(self), &v4) == 1 {
      return withUnsafeBytes(of: v4) { $0.first == 127 }
    }
    var v6 = in6_addr()
    return inet_pton(AF_INET6, String(filter { $0 != "[" && $0 != "]" }), &v6) == 1
      && withUnsafeBytes(of: v6) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
  }
}

extension Date {
  /// Milliseconds since 1970, rounded down.
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded(.down)) }
}
