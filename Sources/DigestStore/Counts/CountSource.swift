/// Where the counts of a store are that is no file: another place has them, and adds them up.
package protocol CountSource: Sendable {
  /// Hands over counts that together are what was counted in some periods, by the numbers that the
  /// store's ``CountCatalog`` has given.
  func forEachCount(
    _ question: CountQuery,
    _ body: (_ count: StoreCount, _ release: Int64) throws -> Void
  ) throws
}

extension DigestStoreError.Code {
  /// The role that reads the counts lacks a privilege.
  package static let notPermitted = Self(rawValue: "notPermitted")
}

/// Which counts are wanted, and how far they may be added up.
package struct CountQuery: Sendable {
  package let table: PackedCounts.Table

  /// The length of the periods in hours, 0 for all time, and the hours that they begin in.
  package let span: Int64
  package let hours: Range<Int64>

  /// The releases; nil for all.
  package let releases: [Int64]?

  /// The failures or models that matter, in the order of their numbers; nil for all. Others may come.
  package let numbers: [Int64]?

  /// Whether releases, and periods, are told apart.
  package let isByRelease: Bool
  package let isByPeriod: Bool
}

/// The names of all that is counted in a place that is no file.
package struct CountCatalog: Sendable {
  package struct Failure: Sendable {
    package let model: Int64
    package let codingPath: String
    package let kind: String
    package let expectedType: String?
    package let novelValue: String?
    package let valueType: String?
    package let foundType: String?
    package let foundValue: String?

    /// The number of the first failure with the same novel value; nil where there is none.
    package let value: Int64?

    package init(
      model: Int64, codingPath: String, kind: String, expectedType: String?, novelValue: String?,
      valueType: String?, foundType: String?, foundValue: String?, value: Int64?
    ) {
      self.model = model
      self.codingPath = codingPath
      self.kind = kind
      self.expectedType = expectedType
      self.novelValue = novelValue
      self.valueType = valueType
      self.foundType = foundType
      self.foundValue = foundValue
      self.value = value
    }
  }

  /// What could not be kept: the reason and the hour since 1970.
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

  /// The models and the failures; the number of each is its place, from 1 on.
  package var models: [String] = []
  package var failures: [Failure] = []

  /// The releases by their numbers, which are not 0: that is no release.
  package var releases: [Int64: String] = [:]
  package var losses: [Loss] = []

  /// Hours since 1970: of hours before it there are only days.
  package var firstHour: Int64 = 0

  package init() {}
}

extension DigestStore {
  /// Makes a store of what another place has counted: it answers every question on counts, to the
  /// hour, and has no digests.
  ///
  /// - Parameter name: what errors call it.
  package convenience init(
    name: String, catalogue: CountCatalog, tallies: any CountSource
  ) throws {
    let connection: Connection
    do {
      connection = try Migrator.current.makeStoreInMemory(named: name)
      try connection.write(catalogue)
    } catch {
      throw DigestStoreError(error, path: name)
    }
    self.init(name: name, reading: connection, tallies)
  }
}

extension Connection {
  fileprivate func write(_ catalogue: CountCatalog) throws {
    try transaction {
      // As of a file whose digests are all gone.
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
      for (number, failure) in zip(Int64(1)..., catalogue.failures) {
        try addFailure.run([
          .integer(number), .integer(failure.model), .text(failure.codingPath),
          .text(failure.kind), SQLiteValue(failure.expectedType), SQLiteValue(failure.novelValue),
          SQLiteValue(failure.valueType), SQLiteValue(failure.foundType),
          SQLiteValue(failure.foundValue), failure.value.map { .integer($0) } ?? .null,
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
