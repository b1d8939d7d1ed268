package import DigestStore
package import ResilientPlatform

/// The counts of many stores in one database, of each store and of all together.
package protocol Fleet: AnyObject {
  /// The URL without its password.
  var name: String { get }

  /// Makes the tables if they are missing, and migrates older ones.
  ///
  /// - Returns: whether the tables were made.
  /// - Throws: ``FleetError``. Run again, it continues.
  func initialize(_ options: FleetOptions) throws -> Bool

  /// Sends what the fleet does not have yet of a store.
  ///
  /// A push can be interrupted anywhere and run again, also by several processes at once: nothing is
  /// counted twice and nothing is missed. The store is only read, and closed before the first part is
  /// sent.
  ///
  /// - Parameters:
  ///   - store: the store to send.
  ///   - name: the name to list the store by.
  ///   - withDigests: whether to send the digests themselves in addition to their counts.
  ///   - progress: called with the number of periods, and then of digests, that have been sent. An error
  ///     that it throws ends the push.
  /// - Throws: ``FleetError``, also for a file that is a copy or an older state of the pushed one;
  ///   `DigestStoreError` if the store cannot be read.
  func push(
    _ store: DigestReader, as name: SourceName, withDigests: Bool,
    progress: (DigestReader.Progress) throws -> Void
  ) throws -> PushSummary

  /// Lists the stores of the fleet, the one whose last push is longest ago first.
  ///
  /// - Parameter glob: the names to list, where `*` stands for any text and `?` for any character; nil
  ///   for all.
  func sources(named glob: String?) throws -> [FleetSource]

  /// Deletes what was recorded before a moment.
  ///
  /// It deletes digests, marks of pushes, and counts by hour of the days before the moment. Counts by day
  /// and of all time stay.
  ///
  /// - Throws: ``FleetError``, also if the role may not do this. Run again, it continues.
  func prune(before moment: Date) throws -> PruningSummary

  /// Removes a store that is gone, with its counts and digests. Names that only it had stay, without
  /// counts.
  ///
  /// - Parameter source: the name of the store, or its identity.
  /// - Throws: ``FleetError``, also if there is no such store or several have the name. Run again, it
  ///   continues.
  func forget(_ source: String) throws -> ForgottenSource
}

/// The roles of a fleet, and the servers on which its tables are made.
package struct FleetOptions {
  /// Existing roles that may push, and that may query.
  package let writer: String?
  package let reader: String?

  /// The cluster on whose servers the tables are made; nil for this server alone.
  package let cluster: String?

  /// Whether the servers of a shard are replicas of each other.
  package let isReplicated: Bool

  package init(writer: String?, reader: String?, cluster: String? = nil, isReplicated: Bool = false)
  {
    self.writer = writer
    self.reader = reader
    self.cluster = cluster
    self.isReplicated = isReplicated
  }
}
