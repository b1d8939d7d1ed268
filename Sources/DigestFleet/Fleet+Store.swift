package import DigestStore

extension Fleet {
  /// What stores have counted together, as a store: every report on counts has the same answer as if
  /// they were one file.
  ///
  /// What comes from the server is the names of what is counted, at once, and for each question the
  /// packs of its periods. All of it is of the moment at which this is called.
  ///
  /// - Parameters:
  ///   - url: where the fleet is.
  ///   - source: the name of the stores, where `*` stands for any text and `?` for any character; nil
  ///     for all of them.
  /// - Throws: ``FleetError`` where the server cannot answer, or has no such store.
  package static func store(at url: String, of source: String? = nil) throws -> DigestStore {
    try storeAndFailures(at: url, of: source).store
  }

  /// - Returns: also the ids of the failures, at the places of their numbers less one.
  static func storeAndFailures(
    at url: String, of source: String?
  ) throws -> (store: DigestStore, failures: [Int64]) {
    let fleet = try Fleet(url)
    let name = fleet.name
    // The transaction lasts as long as the connection: so all questions are about one moment.
    let (catalogue, sources) = try fleet.connection.mappingErrors {
      try fleet.connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      try fleet.checkVersion()
      let sources = try source.map { try fleet.ids(ofSources: $0) }
      return (try FleetCatalogue(fleet.connection, of: sources), sources)
    }
    let tallies: any TallySource
    if let sources {
      tallies = SourceTallies(fleet.connection, sources, numbers: catalogue.numbers)
    } else {
      tallies = FleetTallies(
        fleet.connection, failures: catalogue.failures, models: catalogue.models)
    }
    let store = try DigestStore(name: name, catalogue: catalogue.names, tallies: tallies)
    return (store, catalogue.failures)
  }

  /// The ids of the stores of a name.
  func ids(ofSources glob: String) throws -> [Int64] {
    // The wildcards of LIKE are others, and text here. It goes by scalars, as the server does.
    var pattern = String.UnicodeScalarView()
    for scalar in FleetText.encode(glob).unicodeScalars {
      switch scalar {
      case "*": pattern.append("%")
      case "?": pattern.append("_")
      case "%", "_", "\\": pattern += ["\\", scalar]
      default: pattern.append(scalar)
      }
    }
    let ids = try connection.run(
      "SELECT id FROM digests.source WHERE name LIKE $1 ORDER BY id", [.text(String(pattern))]
    ).map { $0.integer(0) }
    guard !ids.isEmpty else {
      throw FleetError(
        .missing,
        "\(name) has no store of that name; digest-query sources lists those that there are")
    }
    return ids
  }
}
