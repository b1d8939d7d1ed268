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

extension Connection {
  /// Writes names and losses into an empty store, whose digests then all count as deleted.
  func write(_ catalogue: CountCatalog) throws {
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
      try write(catalogue.failures)
      let addLoss = try Statement(self, "INSERT INTO loss VALUES (?, ?, ?, ?, ?)")
      for loss in catalogue.losses {
        try addLoss.run([
          .text(loss.reason), .integer(loss.hour), .integer(loss.digests),
          .integer(loss.occurrences), SQLiteValue(loss.note),
        ])
      }
    }
  }

  /// Replaces all failures. The caller has begun a transaction.
  func replaceFailures(with failures: [CountCatalog.CountedFailure]) throws {
    try execute("DELETE FROM failure")
    try write(failures)
  }

  private func write(_ failures: [CountCatalog.CountedFailure]) throws {
    let addFailure = try Statement(
      self,
      """
      INSERT INTO failure (id, model_id, coding_path, path_format, kind, expected_type, novel_value,
        value_type, found_type, found_value, value_id)
      VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?)
      """)
    for (number, counted) in zip(Int64(1)..., failures) {
      let failure = counted.failure
      try addFailure.run([
        .integer(number), .integer(counted.model), .text(failure.codingPath),
        .text(failure.kind), SQLiteValue(failure.expectedType), SQLiteValue(failure.novelValue),
        SQLiteValue(failure.valueType), SQLiteValue(failure.foundType),
        SQLiteValue(failure.foundValue), counted.value.map { .integer($0) } ?? .null,
      ])
    }
  }
}
