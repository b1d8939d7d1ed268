import DigestStore

extension ClickHouseFleet {
  /// Opens the counts of several stores as one store, as ``FleetURL/store(at:of:)`` describes.
  ///
  /// The names of models and releases are read at once; those of failures, and counts, when a report needs
  /// them. There are no transactions: a push that ends in between may be in one report and not in another.
  static func store(at url: String, of source: String?) throws -> DigestReader {
    try storeAndPages(at: url, of: source).store
  }

  static func storeAndPages(
    at url: String, of source: String?
  ) throws -> (store: DigestReader, pages: ClickHouseDigestPages) {
    let fleet = try ClickHouseFleet(url)
    fleet.connection.refusesLaggingReplicas = true
    let (settings, catalogue, sources) = try fleet.connection.mappingErrors {
      let settings = try fleet.checkedSettings()
      let sources = try source.map { try fleet.names(ofSources: $0) }
      return (
        settings,
        try ClickHouseCatalogue(fleet, settings, of: sources.map { $0.keys.sorted() }), sources
      )
    }
    let connection = try ClickHouseConnection(url)
    connection.refusesLaggingReplicas = true
    let counts = ClickHouseCounts(
      connection, catalogue, isOnCluster: settings.cluster != nil, of: sources)
    let store = try DigestReader(
      name: fleet.name, catalogue: catalogue.names, countSource: counts)
    return (store, ClickHouseDigestPages(fleet, counts))
  }
}
