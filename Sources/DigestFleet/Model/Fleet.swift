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
