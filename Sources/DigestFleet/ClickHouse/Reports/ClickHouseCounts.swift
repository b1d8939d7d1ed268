import DigestStore
import ResilientDecoding
import ResilientPlatform

/// The counts of the stores of a fleet in ClickHouse, which adds them up.
struct ClickHouseCounts: CountServer {
  private let connection: Locked<ClickHouseConnection>
  private let name: String
  let storeNames: [Int64: String]?
  private let numberOfSource: [UInt64: Int64]

  /// The numbers of the models in the report by their ids, and the names in the order of the numbers.
  let models: [FleetID: Int64]
  let modelNames: [String]

  let conditions: ClickHouseConditions

  /// The failures that are counted; nil until a report selects some.
  var selection: ClickHouseSelection?

  /// Before this hour, only counts by day are complete.
  private let firstHour: Int64

  /// - Parameter sources: the names of the chosen stores by their ids; nil for all.
  init(
    _ connection: sending ClickHouseConnection, _ catalogue: ClickHouseCatalogue,
    isOnCluster: Bool, of sources: [UInt64: String]?
  ) {
    name = connection.name
    conditions = ClickHouseConditions(
      connection.database, isOnCluster: isOnCluster, sources: sources.map { $0.keys.sorted() },
      releases: catalogue.releases)
    self.connection = Locked(connection)
    let ordered = (sources ?? [:]).sorted { $0.key < $1.key }
    numberOfSource = Dictionary(
      uniqueKeysWithValues: zip(ordered.map(\.key), Int64(1)...))
    storeNames = sources.map { _ in
      Dictionary(uniqueKeysWithValues: zip(Int64(1)..., ordered.map(\.value)))
    }
    models = catalogue.models
    modelNames = catalogue.names.models
    firstHour = catalogue.names.firstHour
  }

  func forEachCount(_ query: CountQuery, _ body: (Count, Int64) throws -> Void) throws {
    let isOfModels = query.table == .models
    guard let numbers = isOfModels ? models : selection?.numbers else { return }
    let key = query.isByStore ? "source" : query.isByRelease ? "release" : "toUInt64(0)"
    let selection = isOfModels ? nil : self.selection
    let keys = query.isByStore || query.isByRelease ? [key] : []
    let groups = (selection?.columns ?? ["id"]) + keys + (query.isByPeriod ? ["start"] : [])
    let isCounted = conditions.isCounted(selection?.counted ?? .models, query)
    // A trend of failures needs no more.
    let onlyOccurrences = query.isByPeriod && !isOfModels
    func sums(_ occurrences: String, _ others: [String]) -> String {
      let period = "toInt64(start) * 3600000"
      let columns = onlyOccurrences ? ["toUInt64(1)", "toUInt64(0)", period, period] : others
      return "sum(\(occurrences)), \(columns.joined(separator: ", "))"
    }
    let rows: String
    if let selection, selection.isOfFew {
      let counts = conditions.fewCounts(
        selection.isAmong(query.ids), where: "\(isCounted) AND \(selection.isMatching)",
        with: keys, onlyOccurrences: onlyOccurrences)
      let others = ["sum(digests_with_them)", "sum(shared)", "min(first)", "max(last)"]
      rows = "\(sums("errors", others)) FROM \(counts)"
    } else {
      let condition = selection.map { " AND \($0.isSelected) AND \($0.isMatching)" } ?? ""
      let others = ["sum(digests)", "sum(shared_digests)", "min(first_seen)", "max(last_seen)"]
      rows = "\(sums("occurrences", others)) FROM \(conditions.counts) AND \(isCounted)\(condition)"
    }
    try forEachRow(
      """
      SELECT \(selection?.id ?? "id"), \(key), \(rows)
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
    let decodes = "\(conditions.counts) AND \(conditions.isOf(.decodes))"
    let days = try rows(
      "SELECT min(start), count() FROM \(decodes) AND span = 24"
    ) { (Int64(try $0.integer(UInt32.self)), try $0.integer(UInt64.self)) }
    guard let (day, count) = days.first, count > 0 else { return nil }
    guard day >= firstHour else { return day }
    let hours = try rows(
      "SELECT min(start), count() FROM \(decodes) AND \(conditions.isIn(1, day..<day + 24))"
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
        FROM \(conditions.counts) AND \(conditions.isOf(.decodes))
          AND \(conditions.isIn(periods.span, periods.hours)) AND \(conditions.isOf(query.releases))
        GROUP BY \(groups.joined(separator: ", "))
        """
      ) { row in
        let (id, release) = (try row.id(), try row.integer(UInt64.self))
        let hour = Int64(try row.integer(UInt32.self))
        let decodes = try row.count()
        guard let model = models[id],
          let number = release == 0 ? 0 : conditions.releases[release]
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
    return key == 0 ? 0 : conditions.releases[key]
  }

  /// - Parameter isByShard: see ``ClickHouseConnection/answer(to:isByShard:)``.
  func forEachRow(
    _ sql: String, isByShard: Bool = false, _ body: (inout RowBinaryReader) throws -> Void
  ) throws {
    var answer: RowBinaryReader
    do {
      answer = try connection.withLock { connection in
        try connection.mappingErrors {
          try connection.answer(to: sql, isByShard: isByShard)
        }
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

  func rows<Row>(
    _ sql: String, isByShard: Bool = false, _ read: (inout RowBinaryReader) throws -> Row
  ) throws -> [Row] {
    var rows: [Row] = []
    try forEachRow(sql, isByShard: isByShard) { rows.append(try read(&$0)) }
    return rows
  }
}
