import DigestStore

/// The names of what a fleet in ClickHouse counts, and their numbers in a report, which count from 1.
struct ClickHouseCatalogue {
  private(set) var names = CountCatalog()
  private(set) var failures: [FleetID] = []

  /// The numbers by the ids.
  private(set) var numbers: [CountTable: [FleetID: Int64]] = [.failures: [:], .models: [:]]
  private(set) var releases: [UInt64: Int64] = [:]

  private let fleet: ClickHouseFleet

  /// A condition that is true for the rows of the chosen stores.
  private let isChosen: String

  /// Reads the names of everything that has counts.
  init(_ fleet: ClickHouseFleet, of sources: [UInt64]?) throws {
    self.fleet = fleet
    isChosen = ClickHouseCounts.condition(of: sources)
    let settings = try fleet.checkedSettings()
    let coarseBefore =
      try fleet.connection.rows(
        """
        SELECT max(coarse_before) FROM \(ClickHouseSchema.source.latest(in: fleet.database))
        AND \(isChosen.replacing("source", with: "id"))
        """
      ) { try $0.integer(Int64.self) }.first ?? 0
    names.firstHour = max(settings.firstHour, coarseBefore)
    try readModels()
    try readFailures()
    try readReleases()
    try readLosses()
  }

  /// A subquery that returns the ids of what the chosen stores count. GLOBAL asks all shards once.
  private func counted(_ column: String, _ condition: String) -> String {
    """
    GLOBAL IN (SELECT DISTINCT \(column) FROM \(fleet.database).counts
      WHERE span = 0 AND \(condition) AND \(isChosen))
    """
  }

  private mutating func readModels() throws {
    try fleet.connection.forEachRow(
      """
      SELECT id, name FROM \(ClickHouseSchema.model.latest(in: fleet.database))
      AND id \(counted("id", "counted IN (1, 2)")) ORDER BY version DESC, name
      """
    ) { row in
      let (id, name) = (try row.id(), try row.text())
      // Anyone who may insert could write a name under the id of another one.
      guard id == NumberedIDs.IDs(ofModel: name).id else { return }
      names.models.append(name)
      numbers[.models]?[id] = Int64(names.models.count)
    }
  }

  /// Leaves out failures whose counts or model have not arrived yet.
  private mutating func readFailures() throws {
    var firstOfValue: [FleetID: Int64] = [:]
    try fleet.connection.forEachRow(
      """
      SELECT id, value, model, coding_path, kind, expected_type, novel_value, value_type,
        found_type, found_value
      FROM \(ClickHouseSchema.failure.latest(in: fleet.database))
      AND id \(counted("id", "counted = 0")) ORDER BY version DESC, id
      """
    ) { row in
      let (id, value, model) = (try row.id(), try row.id(), try row.id())
      let failure = Failure(
        codingPath: try row.text(), kind: try row.text(), expectedType: try row.optionalText(),
        novelValue: try row.optionalText(), valueType: try row.optionalText(),
        foundType: try row.optionalText(), foundValue: try row.optionalText())
      guard let model = numbers[.models]?[model],
        id == NumberedIDs.IDs(of: failure, inModel: names.models[Int(model) - 1]).id
      else { return }
      failures.append(id)
      let number = Int64(failures.count)
      numbers[.failures]?[id] = number
      let first = value == .none ? nil : firstOfValue[value] ?? number
      if let first { firstOfValue[value] = first }
      names.failures.append(.init(model: model, failure: failure, value: first))
    }
  }

  private mutating func readReleases() throws {
    try fleet.connection.forEachRow(
      """
      SELECT id, name FROM \(ClickHouseSchema.release.latest(in: fleet.database))
      AND id \(counted("release", "release != 0")) ORDER BY version DESC, name
      """
    ) { row in
      let number = Int64(releases.count) + 1
      let (id, name) = (try row.integer(UInt64.self), try row.text())
      guard id == ClickHousePush.id(ofRelease: BinaryString(name)) else { return }
      releases[id] = number
      names.releases[number] = name
    }
  }

  /// Whether the counts by day are complete, because all dropped counts had been sent before.
  private func hasAllDays() throws -> Bool {
    try fleet.connection.rows(
      """
      SELECT toUInt8(sumIf(occurrences, span = 0) = sumIf(occurrences, span = 24))
      FROM \(ClickHouseSchema.counts.latest(in: fleet.database))
      AND counted = 1 AND span IN (0, 24) AND \(isChosen)
      """
    ) { try $0.integer(UInt8.self) }.first == 1
  }

  private mutating func readLosses() throws {
    let losses = try fleet.connection.rows(
      """
      SELECT reason, hour, sum(digests), sum(occurrences), min(note)
      FROM \(ClickHouseSchema.loss.latest(in: fleet.database)) AND \(isChosen) GROUP BY reason, hour ORDER BY reason, hour
      """
    ) {
      CountCatalog.Loss(
        reason: try $0.text(), hour: try $0.integer(), digests: try $0.count(),
        occurrences: try $0.count(), note: try $0.optionalText())
    }
    let undated = DigestStore.Loss.Reason.undated.rawValue
    guard losses.contains(where: { $0.reason == undated }), try hasAllDays() else {
      names.losses = losses
      return
    }
    names.losses = losses.filter { $0.reason != undated }
  }
}
