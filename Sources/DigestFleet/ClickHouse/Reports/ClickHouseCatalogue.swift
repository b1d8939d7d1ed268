import DigestStore

/// The names of the models and releases that a fleet in ClickHouse counts, and their numbers in a report,
/// which count from 1.
struct ClickHouseCatalogue {
  private(set) var names = CountCatalog()

  /// The numbers by the ids.
  private(set) var models: [FleetID: Int64] = [:]
  private(set) var releases: [UInt64: Int64] = [:]

  private let fleet: ClickHouseFleet

  /// A condition that is true for the rows of the chosen stores.
  private let isChosen: String

  /// Reads the names of what has counts, but not those of failures.
  ///
  /// - Parameters:
  ///   - settings: the row of the table `fleet`.
  ///   - sources: the ids of the chosen stores; nil for all.
  init(
    _ fleet: ClickHouseFleet, _ settings: ClickHouseFleet.Settings, of sources: [UInt64]?
  ) throws {
    self.fleet = fleet
    isChosen = ClickHouseConditions.isChosen(sources)
    let coarseBefore =
      try fleet.connection.rows(
        """
        SELECT max(coarse_before) FROM \(ClickHouseSchema.source.latest(in: fleet.database))
        AND \(isChosen.replacing("source", with: "id"))
        """
      ) { try $0.integer(Int64.self) }.first ?? 0
    names.firstHour = max(settings.firstHour, coarseBefore)
    try readModels()
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
      models[id] = Int64(names.models.count)
    }
  }

  private mutating func readReleases() throws {
    try fleet.connection.forEachRow(
      """
      SELECT id, name FROM \(ClickHouseSchema.release.latest(in: fleet.database))
      AND id \(counted("release", "counted IN (1, 2) AND release != 0")) ORDER BY version DESC, name
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
