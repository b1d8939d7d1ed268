/// Adds up decodes by hour to those by day, and these to those of all time, which take less space.
final class DecodeDropper {
  private let findHour: Statement
  private let findDay: Statement
  private let addHours: Statement
  private let dropHours: Statement
  private let addDays: Statement
  private let dropDays: Statement
  private let addReleases: Statement
  private let dropReleases: Statement

  init(_ connection: Connection) throws {
    findHour = try Statement(
      connection,
      "SELECT min(hour) FROM decode WHERE hour >= (SELECT coarse_before FROM store) AND hour < ?")
    findDay = try Statement(
      connection,
      """
      SELECT min(hour) / 24 * 24 FROM decode
      WHERE hour >= 0 AND hour < min(?, (SELECT coarse_before FROM store))
      """
    )
    func add(_ hour: String, release: String = "release_id", _ condition: String) throws
      -> Statement
    {
      try Statement(
        connection,
        """
        INSERT INTO decode (hour, model_id, release_id, origin, is_own, decodes, written_after)
        SELECT \(hour), model_id, \(release), min(origin, \(DecodeOrigin.sums)), 0,
          CAST(min(total(decodes), \(Int64.maximumCount)) AS INTEGER), 0
        FROM decode WHERE \(condition) GROUP BY 1, 2, 3, 4
        ON CONFLICT DO UPDATE SET decodes = min(decodes + excluded.decodes, \(Int64.maximumCount))
        """)
    }
    func drop(_ condition: String) throws -> Statement {
      try Statement(connection, "DELETE FROM decode WHERE \(condition)")
    }
    // Digests of a day's first hour are in the row of the day's sum already.
    let hours = "hour >= 0 AND hour < ?1 AND (origin > \(DecodeOrigin.sums) OR hour % 24 <> 0)"
    addHours = try add("hour / 24 * 24", hours)
    dropHours = try drop(hours)
    addDays = try add("-1", "hour >= 0 AND hour < ?1")
    dropDays = try drop("hour >= 0 AND hour < ?1")
    addReleases = try add("hour", release: "?2", "release_id = ?1")
    dropReleases = try drop("release_id = ?1")
  }

  /// The first hour before `end` that is not added up yet, or the first day; nil if there is none.
  func first(_ span: Int64, before end: Int64) throws -> Int64? {
    let hour =
      span == 1
      ? try findHour.firstRow([.integer(end)]) { $0.optionalInteger(at: 0) }
      : try findDay.firstRow([.integer(end)]) { $0.optionalInteger(at: 0) }
    return hour ?? nil
  }

  /// Adds up all hours before `end`, the end of a day. The caller makes
  /// these hours coarse.
  func addUpHours(before end: Int64) throws {
    try addHours.run([.integer(end)])
    try dropHours.run([.integer(end)])
  }

  /// Adds up all days before `end`.
  func addUpDays(before end: Int64) throws {
    try addDays.run([.integer(end)])
    try dropDays.run([.integer(end)])
  }

  /// Adds the decodes of a release to those of another one.
  func merge(release: Int64, into others: Int64) throws {
    try addReleases.run([.integer(release), .integer(others)])
    try dropReleases.run([.integer(release)])
  }
}
