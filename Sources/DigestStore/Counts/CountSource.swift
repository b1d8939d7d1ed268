/// Provides the counts of a store that is not a file, such as a fleet, and adds them up.
package protocol CountSource: Sendable {
  /// Passes counts to `body` that add up to all that match a query. Ids are those of the store's
  /// ``CountCatalog``.
  func forEachCount(
    _ question: CountQuery,
    _ body: (_ count: StoreCount, _ release: Int64) throws -> Void
  ) throws
}

extension DigestStoreError.Code {
  /// The role that reads the counts lacks a privilege.
  package static let notPermitted = Self(rawValue: "notPermitted")
}

/// The counts to read, and whether their source may add them up.
package struct CountQuery: Sendable {
  package let table: PackedCounts.Table

  /// The length of the periods in hours, 0 for all time, and the range of hours in which they
  /// begin.
  package let span: Int64
  package let hours: Range<Int64>

  /// The ids of the releases; nil for all.
  package let releases: [Int64]?

  /// The ids of the failures or models to return, in ascending order; nil for all. The source may
  /// return others as well.
  package let numbers: [Int64]?

  /// Whether the source returns separate counts for each release, and for each period.
  package let isByRelease: Bool
  package let isByPeriod: Bool
}

/// The models, failures, releases and losses of a ``CountSource``.
package struct CountCatalog: Sendable {
  package struct CountedFailure: Sendable {
    package let model: Int64
    package let failure: Failure

    /// The id of the first failure with the same novel value; nil if the failure has no novel
    /// value.
    package let value: Int64?

    package init(model: Int64, failure: Failure, value: Int64?) {
      self.model = model
      self.failure = failure
      self.value = value
    }
  }

  /// A loss: its reason, and its hour since 1970.
  package struct Loss: Sendable {
    package let reason: String
    package let hour: Int64
    package let digests: Int64
    package let occurrences: Int64
    package let note: String?

    package init(reason: String, hour: Int64, digests: Int64, occurrences: Int64, note: String?) {
      self.reason = reason
      self.hour = hour
      self.digests = digests
      self.occurrences = occurrences
      self.note = note
    }
  }

  /// The models and the failures. Their ids are their positions, starting at 1.
  package var models: [String] = []
  package var failures: [CountedFailure] = []

  /// The names of the releases by id. Id 0 means no release and is not included.
  package var releases: [Int64: String] = [:]
  package var losses: [Loss] = []

  /// The first hour, since 1970, that is counted by hour; earlier counts are by day only.
  package var firstHour: Int64 = 0

  package init() {}
}

extension DigestStore {
  /// Makes a store from the counts of another place. It answers all queries on counts, to the hour,
  /// but contains no digests.
  ///
  /// - Parameter name: the store's name in errors.
  package convenience init(
    name: String, catalogue: CountCatalog, countSource: any CountSource
  ) throws {
    let connection: Connection
    do {
      connection = try Migrator.current.makeStoreInMemory(named: name)
      try connection.write(catalogue)
    } catch {
      throw DigestStoreError(error, path: name)
    }
    self.init(name: name, reading: connection, countSource)
  }
}

extension Connection {
  fileprivate func write(_ catalogue: CountCatalog) throws {
    try transaction {
      // The state of a file whose digests have all been deleted.
      try Statement(
        self,
        """
        UPDATE store SET folded_through = 1, evicted_through = 1, coarse_before = ?
        """
      ).run([.integer(catalogue.firstHour)])
      let addModel = try Statement(self, "INSERT INTO model VALUES (?, ?)")
      for (number, name) in zip(Int64(1)..., catalogue.models) {
        try addModel.run([.integer(number), .text(name)])
      }
      let addRelease = try Statement(self, "INSERT INTO release VALUES (?, ?)")
      for (number, name) in catalogue.releases {
        try addRelease.run([.integer(number), .text(name)])
      }
      let addFailure = try Statement(
        self,
        """
        INSERT INTO failure (id, model_id, coding_path, path_format, kind, expected_type, novel_value,
          value_type, found_type, found_value, value_id)
        VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?)
        """)
      for (number, counted) in zip(Int64(1)..., catalogue.failures) {
        let failure = counted.failure
        try addFailure.run([
          .integer(number), .integer(counted.model), .text(failure.codingPath),
          .text(failure.kind), SQLiteValue(failure.expectedType), SQLiteValue(failure.novelValue),
          SQLiteValue(failure.valueType), SQLiteValue(failure.foundType),
          SQLiteValue(failure.foundValue), counted.value.map { .integer($0) } ?? .null,
        ])
      }
      let addLoss = try Statement(self, "INSERT INTO loss VALUES (?, ?, ?, ?, ?)")
      for loss in catalogue.losses {
        try addLoss.run([
          .text(loss.reason), .integer(loss.hour), .integer(loss.digests),
          .integer(loss.occurrences), SQLiteValue(loss.note),
        ])
      }
    }
  }
}
