import DigestStore

extension ClickHousePush {
  /// How many names one request inserts. Names may be long.
  private static let page = 2_000

  /// Enters the store's new models, failures and releases.
  func enterNames() throws {
    let version = nameVersion
    var models = RowBinaryWriter()
    for model in counts.models {
      models.append(FleetID(of: [model.name]))
      models.append(model.name)
      models.append(version)
    }
    try insert(models, into: ClickHouseSchema.model)
    var rest = counts.failures[...]
    while !rest.isEmpty {
      var failures = RowBinaryWriter()
      for failure in rest.prefix(Self.page) { try failures.append(failure, &ids, version) }
      try insert(failures, into: ClickHouseSchema.failure)
      rest = rest.dropFirst(Self.page)
    }
    try enterReleases(version)
    // The names are written again if a push is cut off before its end.
    source.lastModel = max(source.lastModel, counts.models.last?.number ?? 0)
    source.lastFailure = max(source.lastFailure, counts.failures.last?.number ?? 0)
  }

  private func enterReleases(_ version: UInt64) throws {
    let known = Set(marks.keys.compactMap(\.release))
    var releases = RowBinaryWriter()
    for release in Set(counts.packs.compactMap(\.key.release)).subtracting(known) {
      releases.append(Self.id(ofRelease: release))
      releases.append(release.text)
      releases.append(version)
    }
    try insert(releases, into: ClickHouseSchema.release)
  }

  /// The id of a release; 0 for none.
  static func id(ofRelease release: BinaryString?) -> UInt64 {
    release.map { FleetID(of: [$0.text]).low } ?? 0
  }
}

extension RowBinaryWriter {
  fileprivate mutating func append(
    _ failure: StoreCounts.NumberedFailure, _ ids: inout NumberedIDs, _ version: UInt64
  ) throws {
    // A failure without a model has no counts either.
    guard let found = try ids.ids(failure.number, .failures) else { return }
    for id in [found.id, found.value, found.model] { append(id) }
    let names = failure.failure
    for text in [names.codingPath, failure.pathFormat, names.kind] { append(text) }
    for text in [
      names.expectedType, names.novelValue, names.valueType, failure.message, names.foundType,
      names.foundValue,
    ] {
      append(optional: text)
    }
    append(version)
  }
}
