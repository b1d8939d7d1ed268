/// A cache of the names of models and releases, because a few of them are used often.
struct NameCache: Sendable {
  private var models = GenerationCache<Int64, String>(limit: 1 << 18) { $1.utf8.count + 100 }
  private var releases = GenerationCache<Int64, String?>(limit: 1 << 18) {
    ($1?.utf8.count ?? 0) + 100
  }

  /// The name of a model.
  ///
  /// - Throws: ``UnreadableRow`` if there is no model with this id.
  mutating func model(_ id: Int64, _ connection: Connection) throws -> String {
    try models.value(id) { try Self.name(id, in: "model", connection) ?? "" }
  }

  /// The name of a release; nil if the digest has none.
  ///
  /// - Throws: ``UnreadableRow`` if there is no release with this id.
  mutating func release(_ id: Int64, _ connection: Connection) throws -> String? {
    try releases.value(id) { try Self.name(id, in: "release", connection) }
  }

  private static func name(
    _ id: Int64,
    in table: String,
    _ connection: Connection
  ) throws -> String? {
    let find = try Statement(connection, "SELECT name FROM \(table) WHERE id = ?")
    guard let name = try find.firstRow([.integer(id)], { $0.text(at: 0) }) else {
      throw UnreadableRow("it refers to no \(table)")
    }
    return name
  }
}

extension StoredDigest {
  /// The id of the digest in exports and other stores.
  func externalID(_ identity: String) -> String {
    // Concatenated, because interpolation takes three times as long.
    foreignID ?? identity + "-" + String(id) + "-" + String(recordedAt.milliseconds)
  }
}
