import DigestStore
import ResilientPlatform

extension PostgreSQLFleet {
  /// Opens the counts of several stores as one store: every report on counts answers as if the stores were
  /// one file.
  ///
  /// The names of models and releases are read at once, those of failures and packs when a report needs
  /// them, all as of this call.
  ///
  /// - Parameters:
  ///   - url: the URL of the fleet.
  ///   - source: the names of the stores, where `*` stands for any text and `?` for any character; nil for
  ///     all stores.
  /// - Throws: ``FleetError`` if the server cannot answer, or has no such store.
  static func store(at url: String, of source: String? = nil) throws -> DigestReader {
    let fleet = try PostgreSQLFleet(url)
    let name = fleet.name
    // The transaction lasts as long as the connection, so all reports are of one moment.
    let (catalogue, sources, ids) = try fleet.connection.mappingErrors {
      try fleet.connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      try fleet.checkVersion()
      let sources = try source.map { try fleet.names(ofSources: $0) }
      let ids = sources.map { $0.keys.sorted() }
      return (
        try PostgreSQLCatalogue(fleet.connection, of: ids), sources,
        try ids.map { try IDMap.ids(ofSources: $0, on: fleet.connection) }
      )
    }
    let firstHour = catalogue.names.firstHour
    let connection = Locked(fleet.connection)
    let counts: any CountSource & Sendable =
      if let sources, let ids {
        SourceCounts(connection, sources, ids: ids, firstHour: firstHour)
      } else {
        FleetCounts(connection: connection, firstHour: firstHour)
      }
    return try DigestReader(
      name: name, catalogue: catalogue.names,
      countSource: PostgreSQLCounts(
        connection, counts, of: sources.map { $0.keys.sorted() }, catalogue))
  }

  /// Returns the ids of the stores whose names match.
  func ids(ofSources glob: String) throws -> [Int64] {
    try names(ofSources: glob).keys.sorted()
  }

  /// Returns the stores whose names match, by id.
  private func names(ofSources glob: String) throws -> [Int64: String] {
    let rows = try connection.run(
      "SELECT id, name FROM digests.source WHERE name LIKE $1", [.text(glob.likePattern)])
    let names = rows.map { ($0.integer(0), FleetText.decode($0.text(1) ?? "")) }
    guard !names.isEmpty else { throw FleetError.noSuchSource(in: name) }
    return Dictionary(uniqueKeysWithValues: names)
  }
}
