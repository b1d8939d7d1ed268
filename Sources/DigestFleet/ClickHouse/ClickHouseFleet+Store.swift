import DigestStore

extension ClickHouseFleet {
  /// Opens the counts of several stores as one store, as ``FleetURL/store(at:of:)`` describes.
  ///
  /// All names are read at once, and counts when a report needs them. There are no transactions: what is
  /// pushed in between may be in one report and not in another.
  static func store(at url: String, of source: String?) throws -> DigestReader {
    try storeAndPages(at: url, of: source).store
  }

  static func storeAndPages(
    at url: String, of source: String?
  ) throws -> (store: DigestReader, pages: ClickHouseDigestPages) {
    let fleet = try ClickHouseFleet(url)
    let (catalogue, sources) = try fleet.connection.mappingErrors {
      let sources = try source.map { try fleet.names(ofSources: $0) }
      return (try ClickHouseCatalogue(fleet, of: sources.map { $0.keys.sorted() }), sources)
    }
    let counts = ClickHouseCounts(
      try ClickHouseConnection(url), catalogue, of: sources)
    let store = try DigestReader(
      name: fleet.name, catalogue: catalogue.names, countSource: counts)
    let pages = ClickHouseDigestPages(
      fleet, of: sources.map { $0.keys.sorted() }, failures: catalogue.failures)
    return (store, pages)
  }
}
