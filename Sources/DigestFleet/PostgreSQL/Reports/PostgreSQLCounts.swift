import DigestStore
import ResilientPlatform

/// The counts of a fleet in PostgreSQL by the numbers of a report.
struct PostgreSQLCounts: CountServer {
  let connection: Locked<PostgreSQLConnection>

  /// The counts by the ids of the fleet.
  let counts: any CountSource & Sendable

  /// The ids of the chosen stores; nil for all.
  let sources: [Int64]?

  /// The ids of the models in the order of the numbers, which count from 1, and the numbers of the ids.
  private let models: [Int64]
  let numberOfModel: IDMap

  /// The most values that a ``DenseMap`` of failures stores in an array: one for each id of the fleet. A count of
  /// any other id was made up.
  let arrayLimit: Int64

  /// The failures that are counted; nil until a report selects some.
  var selection: Selection?

  /// The failures of a report.
  struct Selection: Sendable {
    /// The numbers of the report by the ids of failures. Those of one group have one number.
    let numbers: IDMap

    /// The ids, in ascending order, if they are few; else nil.
    let ids: [Int64]?
  }

  var storeNames: [Int64: String]? { counts.storeNames }

  init(
    _ connection: Locked<PostgreSQLConnection>, _ counts: any CountSource & Sendable,
    of sources: [Int64]?, _ catalogue: PostgreSQLCatalogue
  ) {
    self.connection = connection
    self.counts = counts
    self.sources = sources
    models = catalogue.models
    numberOfModel = IDMap(positionsOf: models)
    arrayLimit = min(catalogue.lastFailure, 1 << 24) + 1
  }

  func forEachCount(_ query: CountQuery, _ body: (Count, Int64) throws -> Void) throws {
    let numbers: IDMap
    let ids: [Int64]?
    switch query.table {
    case .failures:
      guard let selection else { return }
      (numbers, ids) = (selection.numbers, selection.ids)
    case .models:
      numbers = numberOfModel
      ids = query.ids?.map { models[Int($0) - 1] }.sorted()
    }
    try counts.forEachCount(
      CountQuery(
        table: query.table, span: query.span, hours: query.hours, releases: query.releases,
        ids: ids,
        isByRelease: query.isByRelease, isByPeriod: query.isByPeriod, isByStore: query.isByStore)
    ) { count, release in
      let number = numbers[count.id]
      if number > 0 { try body(count.with(id: number), release) }
    }
  }

  func firstDecodeHour() throws -> Int64? { try counts.firstDecodeHour() }

  func forEachDecodeCount(_ query: DecodeQuery, _ body: (DecodeCount) throws -> Void) throws {
    try counts.forEachDecodeCount(query) { count in
      let model = numberOfModel[count.model]
      guard model > 0 else { return }
      try body(
        DecodeCount(
          model: model, release: count.release, hour: count.hour, decodes: count.decodes))
    }
  }
}

extension PostgreSQLCounts {
  /// Passes counts that add up to those of all failures in a scope to `body`, with the ids of the fleet.
  func forEachFailureCount(
    in scope: CountScope, isByRelease: Bool = false,
    _ body: (_ count: Count, _ release: Int64) throws -> Void
  ) throws {
    guard !scope.isEmpty else { return }
    for periods in scope.periods {
      try counts.forEachCount(
        CountQuery(
          table: .failures, span: periods.span, hours: periods.hours, releases: scope.releases,
          isByRelease: isByRelease), body)
    }
  }

  func hasFailures(matchingAny filters: [DigestFilter]) throws -> Bool {
    var conditions = PostgreSQLConditions()
    let isMatching = filters.map { conditions.isMatching($0) }.joined(separator: " OR ")
    return try !connection.run(
      """
      SELECT 1 FROM digests.failure AS f JOIN digests.model AS m ON m.id = f.model_id
      WHERE (\(isMatching)) AND \(conditions.isCounted(by: sources)) LIMIT 1
      """, conditions.values
    ).isEmpty
  }

  func names(of category: FailureName, limit: Int) throws -> [String] {
    let column = category.rawValue
    var conditions = PostgreSQLConditions()
    return try connection.run(
      """
      SELECT DISTINCT \(column) FROM digests.failure AS f
      WHERE \(column) IS NOT NULL AND \(conditions.isCounted(by: sources))
      LIMIT \(conditions.add(.integer(Int64(limit))))
      """, conditions.values
    ).map { FleetText.decode($0.text(0) ?? "") }
  }
}
