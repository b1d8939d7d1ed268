package import DigestStore
package import ResilientPlatform

/// A fleet on a server.
package protocol Fleet: EngineConnections {
  /// The URL without its password and parameters, for messages.
  var name: String { get }

  /// Makes the tables, unless they are there, and grants roles what they need.
  ///
  /// - Parameters:
  ///   - readers: the names of roles that may read everything.
  ///   - writers: the names of roles that may push.
  func makeTables(readers: [String], writers: [String]) throws

  /// Pushes stores.
  func push(
    storesAt stores: [String], progress: ((DigestReader.Progress) throws -> Void)?
  ) throws -> [DigestStore.PushSummary]

  /// Removes the digests and counts of a source.
  ///
  /// - Returns: the number of errors that were counted.
  func forget(source identity: String) throws -> Int

  /// Deletes the digests that are older than a time. They stay counted.
  ///
  /// - Returns: the number of digests deleted.
  func prune(before time: Date) throws -> Int

  /// Opens the fleet for reports.
  func reader() throws -> DigestReader
}

extension Fleet {
  package func suspend() {}
  package func resume() {}
  package func close() {}
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

extension Date {
  /// The length of an hour in milliseconds.
  static let hour: Int64 = 3_600_000

  /// Milliseconds since 1970, rounded down.
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded(.down)) }
}
