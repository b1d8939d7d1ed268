import DigestStore
import ResilientDecoding
import ResilientPlatform

/// The counts of the stores of a fleet in ClickHouse, which adds them up.
final class ClickHouseCounts: CountSource, Sendable {
  private let connection: Locked<ClickHouseConnection>
  private let name: String
  private let table: String

  /// The chosen stores; nil for all.
  private let sources: [UInt64]?
  let storeNames: [Int64: String]?

  /// The numbers of the report by the ids of the fleet, and the other way round.
  private let numbers: [CountTable: [FleetID: Int64]]
  private let ids: [CountTable: [Int64: FleetID]]
  private let numberOfRelease: [UInt64: Int64]
  private let numberOfSource: [UInt64: Int64]

  /// Before this hour, only counts by day are complete.
  private let firstHour: Int64

  /// - Parameter sources: the names of the chosen stores by their ids; nil for all.
  init(
    _ connection: sending ClickHouseConnection, _ catalogue: ClickHouseCatalogue,
    of sources: [UInt64: String]?
  ) {
    name = connection.name
    table = ClickHouseSchema.counts.latest(in: connection.database)
    self.connection = Locked(connection)
    self.sources = sources.map { $0.keys.sorted() }
    let ordered = (sources ?? [:]).sorted { $0.key < $1.key }
    numberOfSource = Dictionary(
      uniqueKeysWithValues: zip(ordered.map(\.key), Int64(1)...))
    storeNames = sources.map { _ in
      Dictionary(uniqueKeysWithValues: zip(Int64(1)..., ordered.map(\.value)))
    }
    numbers = catalogue.numbers
    ids = catalogue.numbers.mapValues { numbers in
      Dictionary(uniqueKeysWithValues: numbers.map { ($1, $0) })
    }
    numberOfRelease = catalogue.releases
    firstHour = catalogue.names.firstHour
  }

  /// A condition that is true for the rows of some stores.
  static func condition(of sources: [UInt64]?) -> String {
    sources.map { "source IN (\($0.map(String.init).joined(separator: ", ")))" } ?? "1"
  }

  func forEachCount(_ query: CountQuery, _ body: (Count, Int64) throws -> Void) throws {
    guard let numbers = numbers[query.table] else { return }
    let key = query.isByStore ? "source" : query.isByRelease ? "release" : "toUInt64(0)"
    let groups =
      ["id"] + (query.isByStore || query.isByRelease ? [key] : [])
      + (query.isByPeriod ? ["start"] : [])
    try forEachRow(
      """
      SELECT id, \(key), sum(occurrences), sum(digests), sum(shared_digests), min(first_seen),
        max(last_seen)
      FROM \(table)
      AND counted = \(query.table.rawValue) AND span = \(query.span)
        AND start >= \(query.hours.lowerBound) AND start < \(query.hours.upperBound)
        AND \(condition(query.releases)) AND \(condition(query.ids, query.table))
      GROUP BY \(groups.joined(separator: ", "))
      """
    ) { row in
      let id = try row.id()
      let key = try row.integer(UInt64.self)
      let (occurrences, digests) = (try row.count(), try row.count())
      let shared = min(try row.count(), digests)
      let first = Date.clamped(milliseconds: try row.integer(Int64.self))
      let last = max(first, Date.clamped(milliseconds: try row.integer(Int64.self)))
      guard let number = numbers[id], let release = self.number(ofKey: key, query) else { return }
      try body(
        Count(
          id: number, occurrences: occurrences, digests: digests, sharedDigests: shared,
          first: first, last: last), release)
    }
  }

  func firstDecodeHour() throws -> Int64? {
    let isDecode = "counted = 2 AND \(Self.condition(of: sources))"
    let days = try self.rows(
      "SELECT min(start), count() FROM \(table) AND span = 24 AND \(isDecode)"
    ) { (Int64(try $0.integer(UInt32.self)), try $0.integer(UInt64.self)) }
    guard let (day, count) = days.first, count > 0 else { return nil }
    guard day >= firstHour else { return day }
    let hours = try self.rows(
      """
      SELECT min(start), count() FROM \(table)
        AND span = 1 AND start >= \(day) AND start < \(day + 24) AND \(isDecode)
      """
    ) { (Int64(try $0.integer(UInt32.self)), try $0.integer(UInt64.self)) }
    return hours.first.map { $0.1 > 0 ? $0.0 : day } ?? day
  }

  func forEachDecodeCount(_ query: DecodeQuery, _ body: (DecodeCount) throws -> Void) throws {
    let groups =
      ["id"] + (query.isByRelease ? ["release"] : []) + (query.isByHour ? ["start"] : [])
    for periods in query.periods(firstHour: firstHour) {
      try forEachRow(
        """
        SELECT id, \(query.isByRelease ? "release" : "toUInt64(0)"),
          \(query.isByHour ? "start" : "toUInt32(0)"), sum(digests)
        FROM \(table)
        AND counted = 2 AND span = \(periods.span) AND start >= \(periods.hours.lowerBound)
          AND start < \(periods.hours.upperBound) AND \(condition(query.releases))
          AND \(Self.condition(of: sources))
        GROUP BY \(groups.joined(separator: ", "))
        """
      ) { row in
        let (id, release) = (try row.id(), try row.integer(UInt64.self))
        let hour = Int64(try row.integer(UInt32.self))
        let decodes = try row.count()
        guard let model = numbers[.models]?[id],
          let number = release == 0 ? 0 : numberOfRelease[release]
        else { return }
        try body(DecodeCount(model: model, release: number, hour: hour, decodes: decodes))
      }
    }
  }
}

extension ClickHouseCounts {
  /// The number of a release or a store in the report; nil if the report does not know it.
  private func number(ofKey key: UInt64, _ query: CountQuery) -> Int64? {
    if query.isByStore { return numberOfSource[key] }
    return key == 0 ? 0 : numberOfRelease[key]
  }

  /// A condition on the release and the store.
  private func condition(_ releases: [Int64]?) -> String {
    guard let releases else { return Self.condition(of: sources) }
    let numbers = Set(releases)
    let ids =
      (numbers.contains(0) ? [0] : [])
      + numberOfRelease.filter { numbers.contains($0.value) }.keys.sorted()
    return "release IN (\(ids.map(String.init).joined(separator: ", ")))"
      + " AND \(Self.condition(of: sources))"
  }

  /// The most ids that a statement names, which must not become too long.
  private static let fewIDs = 1_000

  /// A condition on the ids, if there are few.
  private func condition(_ numbers: [Int64]?, _ table: CountTable) -> String {
    guard let numbers, numbers.count <= Self.fewIDs else { return "1" }
    let ids = numbers.compactMap { self.ids[table]?[$0]?.sql }
    return ids.isEmpty ? "0" : "id IN (\(ids.joined(separator: ", ")))"
  }

  private func forEachRow(
    _ sql: String, _ body: (inout RowBinaryReader) throws -> Void
  ) throws {
    var answer: RowBinaryReader
    do {
      answer = try connection.withLock { connection in
        try connection.mappingErrors { try connection.answer(to: sql) }
      }
    } catch let error as FleetError {
      throw error.ofStore
    }
    do {
      while !answer.isAtEnd { try body(&answer) }
    } catch let error as ClickHouseError {
      throw DigestStoreError(.inputOutput, "\(name): \(error.message); run it again")
    }
  }

  private func rows<Row>(
    _ sql: String, _ read: (inout RowBinaryReader) throws -> Row
  ) throws -> [Row] {
    var rows: [Row] = []
    try forEachRow(sql) { rows.append(try read(&$0)) }
    return rows
  }
}
