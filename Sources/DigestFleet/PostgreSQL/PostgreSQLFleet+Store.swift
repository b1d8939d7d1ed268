import DigestStore

extension PostgreSQLFleet {
  /// Opens the counts of several stores as one store: every report on counts answers as if the stores were
  /// one file.
  ///
  /// All names are read at once, and packs when a report needs them, both as of this call.
  ///
  /// - Parameters:
  ///   - url: the URL of the fleet.
  ///   - source: the names of the stores, where `*` stands for any text and `?` for any character; nil for
  ///     all stores.
  /// - Throws: ``FleetError`` if the server cannot answer, or has no such store.
  static func store(at url: String, of source: String? = nil) throws -> DigestReader {
    try storeAndFailures(at: url, of: source).store
  }

  /// - Returns: also the ids of the failures, in the order of their numbers, which count from 1.
  static func storeAndFailures(
    at url: String, of source: String?
  ) throws -> (store: DigestReader, failures: [Int64]) {
    let fleet = try PostgreSQLFleet(url)
    let name = fleet.name
    // The transaction lasts as long as the connection, so all reports are of one moment.
    let (catalogue, sources) = try fleet.connection.mappingErrors {
      try fleet.connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      try fleet.checkVersion()
      let sources = try source.map { try fleet.names(ofSources: $0) }
      return (
        try PostgreSQLCatalogue(fleet.connection, of: sources.map { $0.keys.sorted() }), sources
      )
    }
    let counts: any CountSource & Sendable
    if let sources {
      counts = SourceCounts(
        fleet.connection, sources, numbers: catalogue.numbers, firstHour: catalogue.names.firstHour)
    } else {
      counts = FleetCounts(
        fleet.connection, failures: catalogue.failures, models: catalogue.models,
        firstHour: catalogue.names.firstHour)
    }
    let store = try DigestReader(name: name, catalogue: catalogue.names, countSource: counts)
    return (store, catalogue.failures)
  }

  /// Returns the ids of the stores whose names match.
  func ids(ofSources glob: String) throws -> [Int64] {
    try names(ofSources: glob).keys.sorted()
  }

  /// Returns the stores whose names match, by id.
  private func names(ofSources glob: String) throws -> [Int64: String] {
    // Translates the wildcards to those of LIKE, by scalars, as the server compares.
    var pattern = String.UnicodeScalarView()
    for scalar in FleetText.encode(glob).unicodeScalars {
      switch scalar {
      case "*": pattern.append("%")
      case "?": pattern.append("_")
      case "%", "_", "\\": pattern += ["\\", scalar]
      default: pattern.append(scalar)
      }
    }
    let rows = try connection.run(
      "SELECT id, name FROM digests.source WHERE name LIKE $1", [.text(String(pattern))])
    let names = rows.map { ($0.integer(0), FleetText.decode($0.text(1) ?? "")) }
    guard !names.isEmpty else { throw FleetError.noSuchSource(in: name) }
    return Dictionary(uniqueKeysWithValues: names)
  }
}
