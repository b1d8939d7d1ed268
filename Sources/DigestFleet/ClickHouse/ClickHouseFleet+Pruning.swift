import DigestStore
import ResilientPlatform

extension ClickHouseFleet {
  /// Drops the partitions that lie before the moment as a whole, and deletes the other digests before it.
  func prune(before moment: Date) throws -> PruningSummary {
    try connection.mappingErrors(.owner) {
      var settings = try checkedSettings()
      let milliseconds = max(0, moment.milliseconds)
      let firstHour = max(settings.firstHour, milliseconds / 86_400_000 * 24)
      // First: what a push brings back afterwards, no report reads.
      if firstHour > settings.firstHour {
        settings.firstHour = firstHour
        settings.version = min(settings.version, .max - 1) + 1
        try write(settings)
      }
      for table in [ClickHouseSchema.counts, ClickHouseSchema.pack] {
        try dropPartitions(of: table, before: firstHour, settings)
      }
      let digests = try deleteDigests(before: milliseconds, settings)
      // The row of each store has its newest mark, so a restored copy is recognized nevertheless.
      try delete(from: ClickHouseSchema.push, "last_recorded_at < \(milliseconds)", settings)
      return PruningSummary(
        digests: Int(digests), hoursBefore: Date(milliseconds: firstHour &* 3_600_000))
    }
  }

  /// Drops the partitions of hours that end before an hour.
  private func dropPartitions(
    of table: ClickHouseSchema.Table, before hour: Int64, _ settings: Settings
  ) throws {
    let length = ClickHouseSchema.partition
    let partitions = try connection.rows(
      """
      SELECT DISTINCT toInt64(intDiv(start, \(length))) FROM \(database).\(table.name)
      WHERE span = 1 AND start < \(hour / length * length)
      """
    ) { try $0.integer(Int64.self) }
    for partition in partitions {
      try alter(table, "DROP PARTITION (1, \(partition))", settings)
    }
  }

  /// - Returns: how many digests there were.
  private func deleteDigests(before moment: Int64, _ settings: Settings) throws -> Int64 {
    let table = ClickHouseSchema.digestPage
    let isBefore = "last_recorded_at < \(moment)"
    let digests =
      try connection.rows(
        "SELECT sum(digests) FROM \(table.latest(in: database)) AND \(isBefore)"
      ) { try $0.count() }.first ?? 0
    let length = ClickHouseSchema.partition * 3_600_000
    let partitions = try connection.rows(
      """
      SELECT DISTINCT intDiv(last_recorded_at, \(length)) FROM \(database).\(table.name)
      WHERE last_recorded_at < \(moment / length * length)
      """
    ) { try $0.integer(Int64.self) }
    for partition in partitions { try alter(table, "DROP PARTITION \(partition)", settings) }
    if digests > 0 { try delete(from: table, isBefore, settings) }
    return digests
  }
}

extension ClickHouseFleet {
  /// The table that has the rows, on each server.
  private func local(_ table: ClickHouseSchema.Table, _ settings: Settings) -> String {
    "\(database).\(table.name)\(settings.cluster == nil ? "" : "_local")"
  }

  private func alter(
    _ table: ClickHouseSchema.Table, _ change: String, _ settings: Settings
  ) throws {
    let onCluster = settings.cluster.map { " ON CLUSTER \($0.sqlLiteral)" } ?? ""
    try connection.execute("ALTER TABLE \(local(table, settings))\(onCluster) \(change)")
  }

  /// How long to wait until rows are deleted, in seconds.
  private static let deletionTimeout = 600.0

  /// Deletes rows on all servers, and waits until one replica of each shard has deleted them.
  func delete(
    from table: ClickHouseSchema.Table, _ condition: String, _ settings: Settings
  ) throws {
    try alter(table, "DELETE WHERE \(condition)", settings)
    let mutations =
      settings.cluster.map { "cluster(\($0.sqlLiteral), system, mutations)" } ?? "system.mutations"
    let end = Date() + Self.deletionTimeout
    for attempt in 0... {
      let rest =
        try connection.rows(
          """
          SELECT count() FROM \(mutations)
          WHERE database = \(database.sqlLiteral) AND table IN ('\(table.name)', '\(table.name)_local')
            AND NOT is_done
          """
        ) { try $0.integer(UInt64.self) }.first ?? 0
      if rest == 0 { break }
      guard Date() < end else {
        throw FleetError(
          .failed,
          "\(name): rows of \(table.name) are still being deleted; see system.mutations, and run it again"
        )
      }
      usleep(UInt32(min(200_000, 5_000 << min(attempt, 6))))
    }
  }
}
